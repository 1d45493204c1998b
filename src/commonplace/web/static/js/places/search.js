// Search as one types, over everything, with how each score came about.

import { html, useEffect, useRef, useState } from "../core.js";
import { useLoad } from "../live.js";
import { go } from "../router.js";
import { setLocalKeys } from "../keys.js";
import { Button, Empty, Head, Icon, Loading, Note, Problem, marking } from "../parts.js";
import { inline } from "../markdown.js";
import { SOURCES, componentName, nearDay, number, plural } from "../words.js";
import { messageAddress } from "./entry-dialogs.js";

export function hitAddress(hit) {
  if (hit.source === "long_term") return hit.entry ? `/memory?entry=${hit.entry}` : "/memory";
  if (hit.source === "session") return messageAddress(hit.session, hit.message);
  return hit.date ? `/days/${hit.date}` : "/days";
}

const FILTERS = [["long_term", "Memory"], ["daily_log", "Days"], ["session", "Conversations"]];
const ICONS = { long_term: "memory", daily_log: "days", session: "chat" };

// Each part of the score is a bar of its own: those that speak for the hit to the right, those against it to the left.
function Score({ hit }) {
  const parts = Object.entries(hit.components).filter(([, value]) => Math.abs(value) >= 0.005).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const most = Math.max(...parts.map(([, value]) => Math.abs(value)), 0.001);
  const zero = parts.some(([, value]) => value < 0) ? 50 : 0;
  return html`<table class="score"><caption>How the score of ${hit.score.toFixed(2)} came about: what speaks for it, added up and brought between 0 and 1</caption><tbody>${parts.map(([name, value]) => {
    const width = (Math.abs(value) / most) * (100 - zero);
    return html`<tr><th scope="row">${componentName(name)}</th><td class="bar-cell"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <line x1=${zero} x2=${zero} y1="0" y2="10" class="zero" /><rect x=${value < 0 ? zero - width : zero} width=${width} y="1.500" height="7" class=${value < 0 ? "against" : "for"} /></svg></td>
      <td class="num nowrap">${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}</td></tr>`;
  })}</tbody></table>`;
}

const SPEAKERS = { user: "said by you", assistant: "said by the assistant" };

function HitRow({ hit, words, best }) {
  const [open, set] = useState(false);
  const { title, before, after } = hit.around ?? {};
  const place = [title ?? hit.heading, hit.speaker && (SPEAKERS[hit.speaker] ?? `said by ${hit.speaker}`)].filter(Boolean).join(" · ");
  return html`<li class="hit card">
    <div class="hit-head"><span class="grow"><a class="hit-place" href=${hitAddress(hit)}><${Icon} name=${ICONS[hit.source]} />${SOURCES[hit.source]}${hit.date ? `, ${nearDay(hit.date)}` : ""}<span class="unseen">, open it</span></a>
        ${place && html`<span class="soft small"> · ${place}</span>`}</span>
      <button type="button" class="score-button" aria-expanded=${open} onClick=${() => set(!open)}><span class="unseen">How the score came about: </span>
        <svg class="meter" viewBox="0 0 60 6" aria-hidden="true"><rect class="track" width="60" height="6" rx="3" /><rect class="fill" width=${Math.max(4, (60 * hit.score) / best)} height="6" rx="3" /></svg>
        <span class="num">${hit.score.toFixed(2)}</span></button></div>
    ${before && html`<p class="hit-around soft small"><span class="unseen">Before it: </span>${before}</p>`}
    <p class="hit-text pre">${inline(hit.text, marking(words))}</p>
    ${after && html`<p class="hit-around soft small"><span class="unseen">After it: </span>${after}</p>`}
    ${open && html`<${Score} hit=${hit} />`}
  </li>`;
}

function Filters({ query, set }) {
  const sources = query.getAll("source");
  const flip = (source) => set({ source: sources.includes(source) ? sources.filter((one) => one !== source) : [...sources, source] });
  return html`<div class="row" role="group" aria-label="Where to search">
    ${FILTERS.map(([source, words]) => html`<${Button} kind="small" aria-pressed=${sources.includes(source)} onClick=${() => flip(source)}>${words}</${Button}>`)}
    <label class="row small"><span class="soft">from</span><input class="input slim" type="date" value=${query.get("since") ?? ""} onChange=${(event) => set({ since: event.target.value })} /></label>
    <label class="row small"><span class="soft">to</span><input class="input slim" type="date" value=${query.get("until") ?? ""} onChange=${(event) => set({ until: event.target.value })} /></label>
  </div>`;
}

function Results({ found, words, more }) {
  const { hits, vectors_known: known, vectors_wanted: wanted, trouble, unread } = found.data;
  const best = Math.max(...hits.map((hit) => hit.score), 0.01);
  return html`
    ${trouble && html`<${Note} kind="warn">${trouble}</${Note}>`}
    ${unread && html`<${Note} kind="warn">${unread}</${Note}>`}
    ${known < wanted && html`<${Note}>By meaning, ${number(known)} of ${number(wanted)} texts can be searched so far; the rest by their words. It catches up by itself, and search is slower until then.</${Note}>`}
    <p class="soft small" role="status">${hits.length ? `${plural(hits.length, "result")}${hits.length >= more.limit ? ", the best first" : ""}` : ""}</p>
    ${hits.length ? html`<ol class="hits stack">${hits.map((hit) => html`<${HitRow} key=${hit.file + hit.line + hit.message} hit=${hit} words=${words} best=${best} />`)}</ol>`
      : html`<${Empty} icon="search" title="Nothing fits"><p>Try other words, a name, or a time: “last week”, “in March”, “before Christmas”.</p></${Empty}>`}
    ${hits.length >= more.limit && more.limit < 50 && html`<div class="row"><${Button} onClick=${more.run}>Show more</${Button}></div>`}`;
}

export default function Search({ query }) {
  const written = query.get("q") ?? "";
  const [words, setWords] = useState(written);
  const field = useRef(null);
  const limit = Number(query.get("limit") ?? 10);
  const set = (values) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(values)) {
      next.delete(name);
      for (const one of Array.isArray(value) ? value : [value]) if (one) next.append(name, one);
    }
    go(`/search${next.size ? `?${next}` : ""}`, { replace: true });
  };
  useEffect(() => {
    field.current.focus();
  }, []);
  useEffect(() => {
    if (words === written) return undefined;
    const timer = setTimeout(() => set({ q: words.trim() && words, limit: "" }), 180);
    return () => clearTimeout(timer);
  }, [words]);
  useEffect(() => {
    const step = (by) => () => {
      const links = [...document.querySelectorAll(".hit-place")];
      links[Math.max(0, Math.min(links.length - 1, links.indexOf(document.activeElement) + by))]?.focus();
    };
    return setLocalKeys({ j: step(1), k: step(-1) });
  }, []);
  const values = { q: written, source: query.getAll("source"), since: query.get("since"), until: query.get("until"), limit, explain: true, context: true };
  const found = useLoad(written ? "/search" : null, values);
  return html`<div class="page"><${Head} title="Search" />
    <div class="stack">
      <label class="big-input"><span class="unseen">Search everything</span><${Icon} name="search" />
        <input class="input" type="search" ref=${field} value=${words} placeholder="A question, a name, “what did we decide last week”" onInput=${(event) => setWords(event.target.value)}
          onKeyDown=${(event) => event.key === "ArrowDown" && (event.preventDefault(), document.querySelector(".hit-place")?.focus())} /></label>
      <${Filters} query=${query} set=${set} />
      ${!written ? html`<${Empty} icon="search" title="Ask in your own words"><p>Memory, days and conversations are searched together, by meaning and by words, on this machine. Time words work: “in October”, “yesterday”.</p></${Empty}>`
        : found.trouble && !found.data ? html`<${Problem} trouble=${found.trouble} retry=${found.reload} />`
        : !found.data ? html`<${Loading} />`
        : html`<div class=${`stack ${found.fresh ? "" : "stale"}`} aria-busy=${!found.fresh}><${Results} found=${found} words=${written} more=${{ limit, run: () => set({ limit: String(Math.min(50, limit + 20)) }) }} /></div>`}
    </div></div>`;
}
