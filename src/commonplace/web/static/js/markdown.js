// Markdown as inert nodes. Stored text is anybody's text: HTML stays text, images are never fetched, and a link works
// only if it is http, https or mailto.

import { html } from "./core.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*$/;
const RULE = /^ {0,3}([-*_])([ \t]*\1){2,}[ \t]*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])[ \t]+(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;

// The parts of a line, first match first: code, image, link, bare address, strong, emphasis, strike.
const INLINE =
  /(`+)([^`]|[^`][^]*?[^`])\1(?!`)|(!?)\[([^\]\n]{0,400})\]\(\s*<?([^\s<>()]{0,2000})>?[^)\n]{0,200}\)|\bhttps?:\/\/[^\s<>"'`]{1,1000}|(\*\*|__)(?=\S)([^\n]{1,2000}?\S)\6|(?<![\w*])([*_])(?=\S)([^\n*_]{1,1000}?\S|\S)\8(?![\w*])|~~(?=\S)([^\n]{1,1000}?)~~/g;

function safe(address) {
  try {
    const url = new URL(address);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

function link(address, words) {
  const url = safe(address);
  if (!url) return words;
  return html`<a href=${url} target="_blank" rel="noopener noreferrer nofollow" title=${url}>${words}</a>`;
}

// `plain` draws the words between.
export function inline(text, plain = (words) => words, depth = 0) {
  if (depth > 4) return text;
  const parts = [];
  let last = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > last) parts.push(plain(text.slice(last, match.index)));
    last = match.index + match[0].length;
    if (match[1]) parts.push(html`<code>${match[2]}</code>`);
    else if (match[5] !== undefined) {
      const words = match[4] || match[5];
      parts.push(match[3] ? html`<span class="tag" title=${match[5]}>picture: ${words}</span>` : link(match[5], inline(words, plain, depth + 1)));
    } else if (match[6]) parts.push(html`<strong>${inline(match[7], plain, depth + 1)}</strong>`);
    else if (match[8]) parts.push(html`<em>${inline(match[9], plain, depth + 1)}</em>`);
    else if (match[10] !== undefined) parts.push(html`<s>${inline(match[10], plain, depth + 1)}</s>`);
    else {
      const bare = match[0].replace(/[.,;:!?)\]]+$/, "");
      last -= match[0].length - bare.length;
      parts.push(link(bare, bare));
    }
  }
  if (last < text.length) parts.push(plain(text.slice(last)));
  return parts;
}

function fenced(lines, start) {
  const mark = FENCE.exec(lines[start])[1];
  let end = start + 1;
  while (end < lines.length && !(lines[end].trim().startsWith(mark) && !lines[end].trim().slice(mark.length).trim())) end += 1;
  return [html`<pre tabindex="0"><code>${lines.slice(start + 1, end).join("\n")}</code></pre>`, end + 1];
}

function quoted(lines, start, depth) {
  let end = start;
  const inside = [];
  while (end < lines.length && QUOTE.test(lines[end])) inside.push(QUOTE.exec(lines[end++])[1]);
  return [html`<blockquote>${depth < 6 ? blocks(inside, depth + 1) : inside.join("\n")}</blockquote>`, end];
}

function listed(lines, start, depth) {
  const [, indent, bullet] = ITEM.exec(lines[start]);
  const ordered = /\d/.test(bullet);
  const items = [];
  let end = start;
  while (end < lines.length) {
    const found = ITEM.exec(lines[end]);
    if (found && found[1].length <= indent.length && /\d/.test(found[2]) === ordered && !RULE.test(lines[end])) {
      items.push([found[3]]);
    } else if (items.length && lines[end].trim() && /^(\s{2,}|\t)/.test(lines[end])) {
      items[items.length - 1].push(lines[end].replace(/^(\t| {1,4})/, ""));
    } else break;
    end += 1;
  }
  const drawn = items.map((item) => html`<li>${item.length === 1 || depth > 6 ? inline(item.join(" ")) : blocks(item, depth + 1, true)}</li>`);
  return [ordered ? html`<ol>${drawn}</ol>` : html`<ul>${drawn}</ul>`, end];
}

function blocks(lines, depth = 0, tight = false) {
  const drawn = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const heading = HEADING.exec(line);
    let node;
    if (!line.trim()) {
      at += 1;
      continue;
    } else if (FENCE.test(line)) [node, at] = fenced(lines, at);
    else if (heading) {
      node = heading[1].length <= 2 ? html`<h3>${inline(heading[2])}</h3>` : html`<h4>${inline(heading[2])}</h4>`;
      at += 1;
    } else if (RULE.test(line)) {
      node = html`<hr />`;
      at += 1;
    } else if (QUOTE.test(line)) [node, at] = quoted(lines, at, depth);
    else if (ITEM.test(line)) [node, at] = listed(lines, at, depth);
    else {
      const start = at;
      at += 1;
      while (at < lines.length && lines[at].trim() && ![FENCE, HEADING, RULE, QUOTE, ITEM].some((form) => form.test(lines[at]))) at += 1;
      const words = inline(lines.slice(start, at).join("\n"));
      node = tight && !drawn.length ? html`<span>${words}</span>` : html`<p class="pre">${words}</p>`;
    }
    drawn.push(node);
  }
  return drawn;
}

// Comments are the book's own markers: they are not for reading.
export function Markdown({ text }) {
  return html`<div class="md">${blocks(text.replace(/<!--[^]*?-->/g, "").split("\n"))}</div>`;
}
