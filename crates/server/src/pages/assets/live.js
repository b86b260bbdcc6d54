// Keeps a page up to date: puts what the server sends into place, and counts "3 min ago" on.
// A page that is live has an element with data-live="/live/...".
"use strict";
{
  const lost = document.getElementById("connection");
  const live = document.querySelector("[data-live]");

  const put = (id, html) => {
    const place = document.getElementById(id);
    if (!place || place.innerHTML === html) return;
    // Nothing is taken away from under somebody who is typing or choosing in it.
    const focus = document.activeElement;
    if (focus && place.contains(focus) && focus.matches("input, select, textarea, summary, button")) return;
    if (place.querySelector("details[open]")) return;
    place.innerHTML = html;
    count();
    place.dispatchEvent(new CustomEvent("muster:shown", { bubbles: true }));
  };

  const listen = (address) => {
    const source = new EventSource(address);
    source.addEventListener("open", () => { lost.hidden = true; });
    source.addEventListener("show", (event) => {
      for (const [id, html] of Object.entries(JSON.parse(event.data))) put(id, html);
    });
    source.addEventListener("error", () => {
      lost.hidden = false;
      if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(address), 5000);
    });
  };
  if (live) listen(live.dataset.live);

  // The same steps are in parts.rs.
  const ago = (seconds) => {
    if (seconds < 10) return "just now";
    if (seconds < 60) return `${Math.floor(seconds / 10) * 10} s ago`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
    if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
    return `${Math.floor(seconds / 86400)} d ago`;
  };
  const count = () => {
    for (const time of document.querySelectorAll("time[data-ago]")) {
      const words = ago(Math.max(0, (Date.now() - Date.parse(time.dateTime)) / 1000));
      if (time.textContent !== words) time.textContent = words;
    }
  };
  setInterval(count, 5000);
}
