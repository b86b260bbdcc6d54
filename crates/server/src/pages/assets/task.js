// In front of a tenant's HTML in its sandboxed frame: collects the fields, says how high the content is, sends on Ctrl+Enter.
// Talks to the page around it by messages only.
"use strict";
(() => {
  const say = (what) => parent.postMessage(what, "*");

  const put = (answer, name, value, isList) => {
    if (isList) (answer[name] ??= []).push(...value);
    else answer[name] = value;
  };
  const value = (field) => {
    if (field.type === "number" || field.type === "range") return field.value === "" ? null : field.valueAsNumber;
    if (field.multiple && field.options) return [...field.selectedOptions].map((option) => option.value);
    return field.value;
  };
  const collect = () => {
    const answer = Object.create(null);
    for (const field of document.querySelectorAll("input[name], select[name], textarea[name]")) {
      if (field.disabled || ["submit", "button", "reset", "image", "file"].includes(field.type)) continue;
      const alike = document.querySelectorAll(`input[type=checkbox][name="${CSS.escape(field.name)}"]`).length;
      if (field.type === "radio") {
        if (field.checked) put(answer, field.name, field.value);
        else if (!(field.name in answer)) answer[field.name] = null;
      } else if (field.type === "checkbox" && alike > 1) put(answer, field.name, field.checked ? [field.value] : [], true);
      else if (field.type === "checkbox") put(answer, field.name, field.checked);
      else put(answer, field.name, value(field));
    }
    return answer;
  };
  const invalid = () => [...document.querySelectorAll("input, select, textarea")].find((field) => !field.checkValidity());
  const send = (more) => {
    const wrong = invalid();
    if (wrong) wrong.reportValidity();
    else say({ answer: Object.assign(collect(), more) });
  };

  addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter;
    send(button && button.name ? { [button.name]: button.value } : {});
  }, true);
  addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
  });
  addEventListener("message", (event) => {
    if (event.source === parent && event.data && event.data.send) send();
  });
  addEventListener("DOMContentLoaded", () => {
    const buttons = document.querySelectorAll("form button:not([type]), form [type=submit], form [type=image]");
    say({ ready: true, hasButton: buttons.length > 0 });
    const root = document.documentElement;
    new ResizeObserver(() => say({ height: Math.ceil(root.getBoundingClientRect().height) })).observe(root);
  });
})();
