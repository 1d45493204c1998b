// Plots as SVG, with an axis that begins at nought, and the same figures as a table for whoever cannot see them.

import { html } from "./core.js";
import { number, shortDay } from "./words.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [460, 180, 38, 24, 10];

function ceiling(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= most) ?? most;
}

function Frame({ label, top, from, to, children, rows, columns, below }) {
  const y = (value) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - TOP);
  const steps = top >= 2 && top % 2 === 0 ? [0, top / 2, top] : [0, top];
  return html`<figure class="plot"><svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label}>
      ${steps.map((value) => html`<line class="grid" x1=${LEFT} x2=${WIDTH} y1=${y(value)} y2=${y(value)} /><text x=${LEFT - 8} y=${y(value) + 4} text-anchor="end">${number(value)}</text>`)}
      <text x=${LEFT} y=${HEIGHT - 4}>${from ? shortDay(from) : ""}</text><text x=${WIDTH} y=${HEIGHT - 4} text-anchor="end">${to ? shortDay(to) : ""}</text>
      ${children(y)}</svg>
    ${below}
    <details class="small soft"><summary>The figures</summary><div class="figures" tabindex="0" role="region" aria-label=${`Figures: ${label}`}><table class="table"><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td class="num">${cell}</td>`)}</tr>`)}</tbody></table></div></details></figure>`;
}

const days = (from, to) => Math.max(1, Math.round((new Date(to) - new Date(from)) / 864e5));

// A count that goes on from one day to the next.
export function Line({ label, points, today }) {
  const from = points[0].day;
  const top = ceiling(Math.max(...points.map((point) => point.count)));
  const span = days(from, today);
  const x = (day) => LEFT + (days(from, day) === 1 && day === from ? 0 : (Math.round((new Date(day) - new Date(from)) / 864e5) / span) * (WIDTH - LEFT));
  return html`<${Frame} label=${label} top=${top} from=${from} to=${today} columns=${["Day", "Count"]} rows=${points.map((point) => [shortDay(point.day), number(point.count)])}>${(y) => {
    // A step, not a slope: between two days nothing is known but the earlier figure.
    const path = points.map((point, at) => (at ? `H${x(point.day)}V${y(point.count)}` : `M${x(point.day)} ${y(point.count)}`)).join("") + `H${WIDTH}`;
    return html`<path class="under" d=${`${path}V${y(0)}H${LEFT}Z`} /><path class="trace" d=${path} />`;
  }}</${Frame}>`;
}

// Sums per week (or per day, if there are few), one colour for each name.
export function Bars({ label, points, names, today }) {
  const from = points[0].day;
  const width = Math.max(1, Math.ceil((days(from, today) + 1) / 60));
  const count = Math.ceil((days(from, today) + 1) / width);
  const sums = Array.from({ length: count }, () => Object.fromEntries(names.map(({ name }) => [name, 0])));
  for (const point of points) {
    const at = Math.min(count - 1, Math.floor(Math.round((new Date(point.day) - new Date(from)) / 864e5) / width));
    for (const { name } of names) sums[at][name] += point[name] ?? 0;
  }
  const total = (sum) => names.reduce((all, { name }) => all + sum[name], 0);
  const top = ceiling(Math.max(...sums.map(total), 1));
  const step = (WIDTH - LEFT) / count;
  const used = names.filter(({ name }) => sums.some((sum) => sum[name]));
  const below = html`${used.length > 1 && html`<div class="legend">${used.map(({ words, tone }) => html`<span><span class=${`swatch tone-${tone}`}></span>${words}</span>`)}</div>`}
    <p class="soft small">${width === 1 ? "Each bar is a day." : `Each bar is ${width} days.`}</p>`;
  return html`<${Frame} label=${label} top=${top} from=${from} to=${today} below=${below} columns=${["Day", ...names.map(({ words }) => words)]}
      rows=${points.map((point) => [shortDay(point.day), ...names.map(({ name }) => number(point[name] ?? 0))])}>${(y) => sums.map((sum, at) => {
    let base = 0;
    return names.map(({ name, tone }) => {
      if (!sum[name]) return null;
      const bar = html`<rect class=${`tone-${tone}`} x=${LEFT + at * step + step * 0.12} width=${step * 0.76} y=${y(base + sum[name])} height=${y(base) - y(base + sum[name])} />`;
      base += sum[name];
      return bar;
    });
  })}</${Frame}>`;
}

// How much of a budget is used; where it is more than all of it, a line shows where the budget ends.
export function Gauge({ label, value, limit, unit }) {
  const whole = Math.max(value, limit, 1);
  return html`<figure class="plot"><figcaption class="row between small"><span>${label}</span><span class="soft num">${number(value)} of ${number(limit)} ${unit}</span></figcaption>
    <svg class="budget" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label=${`${label}: ${number(value)} of ${number(limit)} ${unit}`}><rect class="track" width="100" height="4" />
      <rect class=${value > limit ? "tone-2" : "tone-1"} width=${(100 * value) / whole} height="4" />${value > limit && html`<rect class="limit" x=${(100 * limit) / whole - 0.2} width="0.4" height="4" />`}</svg></figure>`;
}
