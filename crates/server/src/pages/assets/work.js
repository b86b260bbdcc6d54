// A worker's page: sends acts without leaving the page, shows what comes, and says that the page is there.
"use strict";
{
  const work = document.getElementById("work");
  const stage = document.getElementById("stage");
  const pay = document.getElementById("pay");
  const lost = document.getElementById("connection");
  const csrf = document.body.dataset.csrf;
  const base = `/work/${work.dataset.worker}`;
  const live = `/live/work/${work.dataset.worker}`;
  const page = String(Math.floor(Math.random() * Number.MAX_SAFE_INTEGER));
  const calm = document.title;
  let shownAt = performance.now();

  // What is shown.

  /** Shows a stage; one that is shown already only if it comes anew, with what was wrong. */
  const show = (told, { isAnew = false, isAnnounced = true } = {}) => {
    pay.innerHTML = told.pay;
    shownAt = performance.now();
    if (told.key === stage.dataset.key && !isAnew) return;
    const isNews = told.key !== stage.dataset.key;
    stage.dataset.key = told.key;
    stage.innerHTML = told.stage;
    document.title = calm.replace(/^.* – /, `${told.title} – `);
    if (isNews && isAnnounced && /^(task|learning)/.test(told.key)) announce(told.title);
    if (told.key === "gone") location.reload();
    begin();
  };

  const say = (said) => {
    const old = document.getElementById("said");
    if (old) old.remove();
    if (!said || !said.text) return;
    const note = document.createElement("p");
    note.id = "said";
    note.className = said.problem ? "notice problem" : "notice done";
    note.setAttribute("role", said.problem ? "alert" : "status");
    note.textContent = said.text;
    stage.before(note);
  };

  /** Focus goes to what is wrong, to what is to be written, or to the heading. */
  const begin = () => {
    const wrong = stage.querySelector("[aria-invalid=true], fieldset[aria-describedby] input");
    const form = stage.querySelector("#answer");
    const first = form && form.querySelector("input:not([type=hidden]), textarea");
    const isWriting = first && !["radio", "checkbox"].includes(first.type);
    (wrong || (isWriting && first) || stage.querySelector("h1")).focus({ preventScroll: !wrong });
    if (stage.getBoundingClientRect().top < 0) stage.scrollIntoView({ block: "start" });
  };

  // Acts.

  let isSending = false;
  const send = async (form) => {
    if (isSending) return;
    isSending = true;
    for (const button of stage.querySelectorAll("button")) button.disabled = true;
    try {
      const reply = await fetch(form.action, {
        method: "POST",
        headers: { accept: "application/json" },
        body: new URLSearchParams(new FormData(form)),
      });
      const told = await reply.json();
      lost.hidden = true;
      if (reply.ok) {
        say(told.said);
        show(told, { isAnew: Boolean(told.said && told.said.again), isAnnounced: false });
      } else say({ text: told.detail || told.title, problem: true });
    } catch {
      // Nothing is known of it: what was typed stays, and it can be sent again; an answer counts once.
      lost.hidden = false;
      say({ text: "That could not be sent. Try again.", problem: true });
    } finally {
      isSending = false;
      for (const button of stage.querySelectorAll("button")) button.disabled = false;
    }
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-act]")) return;
    event.preventDefault();
    const frame = form.id === "answer" && stage.querySelector("iframe");
    if (frame && !form.elements.answer.value) frame.contentWindow.postMessage({ send: true }, "*");
    else send(form);
  });

  // A template in its frame: it says how high it is, and what the answer is.

  addEventListener("message", (event) => {
    const frame = stage.querySelector("iframe");
    const said = event.data;
    if (!frame || event.source !== frame.contentWindow || typeof said !== "object" || !said) return;
    if (Number.isFinite(said.height)) frame.setAttribute("height", Math.min(Math.max(said.height + 2, 120), 4000));
    if (said.ready) document.getElementById("send-row").hidden = Boolean(said.hasButton);
    if (said.answer !== undefined) {
      const form = document.getElementById("answer");
      form.elements.answer.value = JSON.stringify(said.answer);
      send(form).finally(() => { if (form.isConnected) form.elements.answer.value = ""; });
    }
  });

  // Keys.

  addEventListener("keydown", (event) => {
    const form = document.getElementById("answer");
    if (!form) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      (event.target.closest("form[data-act]") || form).requestSubmit();
      return;
    }
    const isTyping = event.target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey || !/^[1-9]$/.test(event.key)) return;
    const option = form.querySelector(`[data-digit="${event.key}"]`);
    if (option) {
      event.preventDefault();
      option.focus();
      option.click();
    }
  });

  // News: sound, the title, a notification. Sound and notification are wanted or not.

  const sound = document.getElementById("sound");
  const notify = document.getElementById("notify");
  let audio = null;
  const ring = () => {
    // Browsers are silent until somebody has touched the page.
    if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
    audio ??= new AudioContext();
    for (const [at, pitch] of [[0, 660], [0.16, 880]]) {
      const tone = audio.createOscillator();
      const loudness = audio.createGain();
      const start = audio.currentTime + at;
      tone.frequency.value = pitch;
      loudness.gain.setValueAtTime(0.12, start);
      loudness.gain.exponentialRampToValueAtTime(0.001, start + 0.28);
      tone.connect(loudness).connect(audio.destination);
      tone.start(start);
      tone.stop(start + 0.3);
    }
  };
  const announce = (title) => {
    if (sound && sound.checked) ring();
    if (!document.hidden) return;
    document.title = `● ${title} – Muster`;
    if (window.Notification && Notification.permission === "granted") {
      const note = new Notification("Muster", { body: title, tag: "muster-work" });
      note.addEventListener("click", () => { window.focus(); note.close(); });
    }
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) document.title = document.title.replace("● ", "");
  });
  if (sound) {
    sound.checked = localStorage.getItem("muster-sound") !== "off";
    sound.addEventListener("change", () => {
      localStorage.setItem("muster-sound", sound.checked ? "on" : "off");
      if (sound.checked) ring();
    });
  }
  if (notify && window.Notification) {
    const offer = () => { notify.hidden = Notification.permission !== "default"; };
    notify.addEventListener("click", () => Notification.requestPermission().then(offer));
    offer();
  }

  // Counting: pay goes up while somebody waits, time left goes down.

  const clock = (seconds) => {
    const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds % 60)];
    return seconds >= 3600 ? `${Math.floor(seconds / 3600)} h ${minutes % 60} min` : `${minutes}:${String(rest).padStart(2, "0")}`;
  };
  let wasOut = false;
  setInterval(() => {
    const gone = (performance.now() - shownAt) / 1000;
    for (const place of pay.querySelectorAll("[data-rate]")) {
      place.textContent = (Number(place.dataset.base) + (Number(place.dataset.rate) * gone) / 3600).toFixed(4);
    }
    const left = stage.querySelector("[data-left]");
    if (!left) return;
    left.dataset.since ??= performance.now();
    const seconds = Math.max(0, Number(left.dataset.left) - (performance.now() - Number(left.dataset.since)) / 1000);
    left.textContent = clock(seconds);
    if (seconds === 0 && !wasOut) look();
    wasOut = seconds === 0;
  }, 1000);

  // The server: what comes, and that this page is here.

  const look = async () => {
    try {
      const reply = await fetch(`${base}/stage`, { headers: { accept: "application/json" } });
      if (reply.ok) show(await reply.json());
    } catch { lost.hidden = false; }
  };
  let source = null;
  const listen = () => {
    if (stage.dataset.key === "gone") return;
    source = new EventSource(`${live}?page=${page}`);
    source.addEventListener("open", () => { lost.hidden = true; });
    source.addEventListener("stage", (event) => { if (!isSending) show(JSON.parse(event.data)); else look(); });
    source.addEventListener("error", () => {
      lost.hidden = false;
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
    });
  };
  const self = () => new URLSearchParams({ csrf, page });
  setInterval(() => {
    if (source && source.readyState === EventSource.OPEN) fetch(`${live}/here`, { method: "POST", body: self(), keepalive: true }).catch(() => {});
  }, 10000);
  addEventListener("pagehide", () => {
    if (source) source.close();
    navigator.sendBeacon(`${live}/closed`, self());
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) { listen(); look(); }
  });
  listen();
}
