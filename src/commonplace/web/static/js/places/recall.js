// Recall: exactly what an agent would be told for a message, what it costs, and what was left out.

import { html, useEffect, useState } from "../core.js";
import { useLoad } from "../live.js";
import { go } from "../router.js";
import { Button, Empty, Head, Loading, Note, Problem } from "../parts.js";
import { inline } from "../markdown.js";
import { SOURCES, number, plural } from "../words.js";

const PARTS = { long_term: "Memory", summary: "Summary of the conversation", relevant: "What fits the question" };
const BUDGETS = [250, 500, 1000, 2000, 4000, 8000];

// What each part costs is what its texts cost; the rest is the frame that tells the agent how to take them.
function Budget({ recall }) {
  const parts = recall.parts.map((part) => ({ words: PARTS[part.name] ?? part.name, tokens: part.items.reduce((sum, item) => sum + item.tokens, 0) }));
  parts.push({ words: "Frame and headings", tokens: Math.max(0, recall.tokens - parts.reduce((sum, { tokens }) => sum + tokens, 0)) });
  const whole = Math.max(recall.budget, recall.tokens, 1);
  let at = 0;
  const bars = parts.map((part, place) => {
    const bar = { ...part, tone: place === parts.length - 1 ? 6 : place + 1, at, width: (part.tokens / whole) * 100 };
    at += bar.width;
    return bar;
  }).filter(({ tokens }) => tokens);
  return html`<div class="stack tight"><p><strong class="num">${number(recall.tokens)}</strong> of ${number(recall.budget)} tokens</p>
    <svg class="budget" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="4" />
      ${bars.map((bar) => html`<rect class=${`tone-${bar.tone}`} x=${bar.at} width=${bar.width} height="4" />`)}</svg>
    <div class="legend">${bars.map((bar) => html`<span><span class=${`swatch tone-${bar.tone}`}></span>${bar.words}: ${number(bar.tokens)}</span>`)}</div></div>`;
}

// Every text that is told, and what it costs.
function Costs({ recall }) {
  const items = recall.parts.flatMap((part) => part.items.map((item) => ({ ...item, part: PARTS[part.name] ?? part.name })));
  if (!items.length) return null;
  return html`<details><summary>What each of the ${plural(items.length, "text")} costs</summary><div class="figures" tabindex="0" role="region" aria-label="What each text costs">
    <table class="table"><thead><tr><th scope="col">Tokens</th><th scope="col">Text</th><th scope="col">From</th></tr></thead>
      <tbody>${items.map((item) => html`<tr><td class="num">${number(item.tokens)}</td><td>${inline(item.text)}</td><td class="soft nowrap">${SOURCES[item.source] ?? item.part}</td></tr>`)}</tbody></table></div></details>`;
}

// What was left out for the same reason stands together.
function LeftOut({ recall }) {
  const [drawn, setDrawn] = useState(20);
  const reasons = Map.groupBy(recall.left_out, ({ why }) => why);
  if (!reasons.size) return html`<p class="soft">Nothing was left out.</p>`;
  return html`<div class="stack">${[...reasons].map(([why, items]) => html`<div class="stack tight"><p class="soft">${why} <span class="num">(${plural(items.length, "text")})</span></p>
    <ul class="card flush rows">${items.slice(0, drawn).map((one) => html`<li class="left-out"><span class="grow">${inline(one.text)}</span>
      <span class="soft small nowrap">${SOURCES[one.source] ?? "Memory"} · ${plural(one.tokens, "token")}</span></li>`)}</ul></div>`)}
    ${[...reasons.values()].some(({ length }) => length > drawn) && html`<div><${Button} onClick=${() => setDrawn(drawn + 200)}>Show more</${Button}></div>`}</div>`;
}

export default function Recall({ query }) {
  const written = query.get("q") ?? "";
  const budget = Number(query.get("budget") ?? 2000);
  const [words, setWords] = useState(written);
  const open = (q, size) => go(`/recall?${new URLSearchParams({ q, budget: String(size) })}`, { replace: true });
  useEffect(() => {
    if (words === written) return undefined;
    const timer = setTimeout(() => open(words, budget), 250);
    return () => clearTimeout(timer);
  }, [words]);
  const recall = useLoad(written.trim() ? "/recall" : null, { q: written, budget });
  const { data } = recall;
  return html`<div class="page"><${Head} title="Recall" lead="Type what you would say to an agent, and see word for word what goes into its prompt." />
    <div class="stack loose"><div class="stack">
      <label class="field"><span>What you would say</span><textarea class="input" rows="2" value=${words} onInput=${(event) => setWords(event.target.value)} placeholder="Which train should I take to Vienna?"></textarea></label>
      <label class="row"><span class="label">Room in the prompt</span><select class="input" value=${budget} onChange=${(event) => open(written, Number(event.target.value))}>
        ${[...new Set([...BUDGETS, budget])].sort((a, b) => a - b).map((size) => html`<option value=${size}>${number(size)} tokens</option>`)}</select></label></div>
      ${!written.trim() ? html`<${Empty} icon="recall" title="Nothing is asked yet"><p>An agent gets your long-term memory and whatever fits the message, framed as data and within a budget of tokens.</p></${Empty}>`
        : recall.trouble ? html`<${Problem} trouble=${recall.trouble} retry=${recall.reload} />`
        : !data ? html`<${Loading} />`
        : html`<div class=${`stack loose ${recall.fresh ? "" : "stale"}`} aria-busy=${!recall.fresh}>
          ${data.trouble && html`<${Note} kind="warn">${data.trouble}</${Note}>`}
          <div class="stack"><${Budget} recall=${data} /><${Costs} recall=${data} /></div>
          <section class="stack tight" aria-labelledby="told"><h2 id="told">What the agent is told</h2><p class="unseen" role="status">${plural(data.tokens, "token")}, ${plural(data.left_out.length, "text")} left out</p>
            ${data.text ? html`<pre class="card told" tabindex="0" aria-labelledby="told">${data.text}</pre>` : html`<${Note}>Nothing: the memory has nothing to say to this.</${Note}>`}</section>
          <section class="stack tight" aria-labelledby="left"><h2 id="left">Left out</h2><${LeftOut} recall=${data} /></section>
        </div>`}
    </div></div>`;
}
