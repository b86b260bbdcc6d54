// The one-time link: what stands behind # never reaches a log; it is sent as a form.
"use strict";
{
  const form = document.getElementById("claim");
  const secret = location.hash.slice(1);
  if (form && secret) {
    history.replaceState(null, "", location.pathname);
    form.elements.secret.value = secret;
    form.submit();
  }
}
