// The second step of a new job: the preview and the estimate follow what is typed. Without this, their buttons do the same.
"use strict";
{
  const form = document.getElementById("draft");
  const show = document.getElementById("preview-button");
  const place = document.getElementById("preview-place");
  const estimate = document.getElementById("estimate");
  const check = document.getElementById("check");
  const page = document.getElementById("f-template");
  const plain = document.getElementById("form-preview");

  const later = (act, wait) => {
    let timer;
    return () => { clearTimeout(timer); timer = setTimeout(act, wait); };
  };

  // Each preview loads in a new frame, shown when it is there: nothing flickers, and "back" leads off the page.
  let count = 0;
  const preview = () => {
    const isEmpty = !page.value.trim();
    place.hidden = isEmpty;
    if (plain) plain.hidden = !isEmpty;
    if (isEmpty) return;
    const frame = place.lastElementChild.cloneNode(false);
    frame.name = frame.id = `preview-${++count}`;
    const mine = count;
    frame.classList.add("coming");
    place.append(frame);
    frame.addEventListener("load", () => {
      if (mine !== count) { frame.remove(); return; }
      for (const old of [...place.children]) if (old !== frame) old.remove();
      frame.classList.remove("coming");
    });
    show.formTarget = frame.name;
    form.requestSubmit(show);
  };

  const workOut = async () => {
    const reply = await fetch(form.dataset.estimate, { method: "POST", body: new URLSearchParams(new FormData(form)) }).catch(() => null);
    if (reply?.ok) estimate.innerHTML = await reply.text();
  };

  const previewLater = later(preview, 400);
  const workOutLater = later(workOut, 250);
  form.addEventListener("input", (event) => {
    if (event.target.name === "template" || event.target.name === "row") previewLater();
    else workOutLater();
  });
  check.hidden = true;
  show.hidden = true;
  preview();
}
