// The windows of one entry: where it came from, where it goes, and forgetting it everywhere.

import { html, useEffect, useState } from "../core.js";
import { post } from "../api.js";
import { useLoad } from "../live.js";
import { path } from "../api.js";
import { Button, Dialog, Loaded, Loading, Note, Problem, say } from "../parts.js";
import { inline } from "../markdown.js";
import { ORIGINS, VOICES, deed, moment, number, plural } from "../words.js";
import { Quoted, move } from "./entry.js";

export const messageAddress = (session, message) =>
  `/conversations/${encodeURIComponent(session)}${message ? `?message=${encodeURIComponent(message)}` : ""}`;

export function Why({ entry, onClose }) {
  const why = useLoad(path`/memory/entries/${entry.id}/why`, {}, false);
  return html`<${Dialog} title="Where it came from" onClose=${onClose}>
    <${Quoted} entry=${entry} label=${`${entry.section}, line ${entry.line}`} />
    <${Loaded} of=${why}>${(data) => html`
      ${data.said.length > 0 && html`<div class="stack tight"><h3>What was said</h3>${data.said.map((quote) => html`
        <blockquote class="quoted"><span class="soft small">${quote.role} · <a href=${messageAddress(quote.session, quote.message)}>open the message</a></span><p>${inline(quote.text)}</p></blockquote>`)}</div>`}
      <div class="stack tight"><h3>Its changes</h3>${data.changes.length === 0 && html`<p class="soft">It was there before the history began.</p>`}
      <ol class="trail">${data.changes.map((change) => html`<li>
        <a href=${`/history/${change.id}`}>${deed(change.summary).label}</a> ${inline(deed(change.summary).text)}
        <span class="soft small">${moment(change.at)} · by ${ORIGINS[change.origin] ?? change.origin}${change.voice ? ` · ${VOICES[change.voice]}` : ""}</span>
        ${change.reason && html`<span class="small">Why: ${change.reason}</span>`}
        ${change.session && html`<a class="small" href=${messageAddress(change.session, change.messages[0])}>the conversation</a>`}
      </li>`)}</ol></div>`}</${Loaded}>
  </${Dialog}>`;
}

export function Moving({ entry, sections, onClose }) {
  const [fresh, setFresh] = useState("");
  const choose = (title) => {
    onClose();
    move(entry, title);
  };
  return html`<${Dialog} title="Move to another section" onClose=${onClose}>
    <${Quoted} entry=${entry} />
    <div class="row">${sections.filter((title) => title !== entry.section).map((title) => html`<${Button} onClick=${() => choose(title)}>${title}</${Button}>`)}</div>
    <form class="row asking" onSubmit=${(event) => { event.preventDefault(); if (fresh.trim()) choose(fresh.trim()); }}>
      <label class="field grow"><span>Or a new section</span><input class="input" value=${fresh} maxlength="100" onInput=${(event) => setFresh(event.target.value)} /></label>
      <button class="btn" disabled=${!fresh.trim()}>Move there</button>
    </form>
  </${Dialog}>`;
}

// First what will go, then the proof that it is gone.
export function Erasing({ entry, onClose }) {
  const [plan, setPlan] = useState(null);
  const [proof, setProof] = useState(null);
  const [trouble, setTrouble] = useState(null);
  const [busy, setBusy] = useState(false);
  const wish = { texts: [entry.text], only_words: false };
  useEffect(() => {
    post("/erasures/preview", wish).then(setPlan).catch(setTrouble);
  }, []);
  const erase = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      setProof(await post("/erasures", wish, plan.plan));
      say("Forgotten everywhere.");
    } catch (problem) {
      if (problem.status === 412) setPlan(problem.problem.current);
      setTrouble(problem);
    }
    setBusy(false);
  };
  if (proof) {
    return html`<${Dialog} title="Forgotten everywhere" onClose=${onClose}><${Note} kind=${proof.left.length ? "bad" : "good"} role="status"><p>${proof.proof}</p>
      <p class="soft small">Searched ${plural(proof.searched_files, "file")} and ${plural(proof.searched_objects, "piece")} of the history after it was done.</p></${Note}>
      <div class="row end"><${Button} kind="main-act" onClick=${onClose}>Done</${Button}></div></${Dialog}>`;
  }
  return html`<${Dialog} title="Forget everywhere" wide onClose=${onClose}>
    <p>This takes the text out of MEMORY.md, the days, the conversations, the backups and the whole history. <strong>It cannot be undone.</strong></p>
    <${Problem} trouble=${trouble} />
    ${!plan ? !trouble && html`<${Loading} />` : html`
      <h3>${plural(plan.removals.length, "place")} will change${plan.changes ? `, and ${plural(plan.changes, "change")} of the history will be rewritten` : ""}</h3>
      <ul class="removals">${plan.removals.slice(0, 200).map((one) => html`<li><span class="soft small">${one.place}, line ${number(one.line)}</span>
        <del>${one.before}</del>${one.after !== null && one.after !== "" && html`<ins>${one.after}</ins>`}</li>`)}</ul>
      ${plan.removals.length > 200 && html`<p class="soft small">… and ${number(plan.removals.length - 200)} more.</p>`}
      <div class="row end dialog-foot"><${Button} onClick=${onClose}>Keep it</${Button}><${Button} kind="danger sure" busy=${busy} onClick=${erase}>Forget it everywhere</${Button}></div>`}
  </${Dialog}>`;
}
