// What is wrong with a page: names, labels, ids, headings, contrast, size of targets, width.
const problems = [];
const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  && element.getClientRects().length > 0;
const describe = (element) => {
  const text = (element.textContent || element.value || "").trim().slice(0, 40);
  return `<${element.tagName.toLowerCase()} ${element.id || element.className || ""}> ${text}`;
};

// Every control says what it is.
const name = (element) => {
  const label = element.getAttribute("aria-label")
    ?? (element.getAttribute("aria-labelledby") ?? "").split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(" ");
  return (label || labels || element.textContent || element.title || "").trim();
};
for (const element of document.querySelectorAll(
  "a[href], button, input:not([type=hidden]), select, textarea, [role=img], dialog, summary")) {
  if (shown(element) && !name(element)) problems.push(`no name: ${describe(element)}`);
}
for (const image of document.querySelectorAll("img:not([alt])")) {
  problems.push(`no alt: ${describe(image)}`);
}
for (const attribute of ["aria-describedby", "aria-labelledby", "aria-controls"]) {
  for (const element of document.querySelectorAll(`[${attribute}]`)) {
    for (const id of element.getAttribute(attribute).split(" ").filter(Boolean)) {
      if (!document.getElementById(id)) problems.push(`${attribute} names no ${id}`);
    }
  }
}

// Ids are unique, there is one main heading, and levels do not jump.
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) {
  problems.push(`the id ${id} is there twice`);
}
const headings = [...document.querySelectorAll("h1, h2, h3, h4")].filter(shown);
if (headings.filter((heading) => heading.tagName === "H1").length !== 1) {
  problems.push("there is not exactly one h1");
}
headings.reduce((before, heading) => {
  const level = Number(heading.tagName[1]);
  if (level > before + 1) problems.push(`a level is missing before ${describe(heading)}`);
  return level;
}, 0);
if (document.querySelectorAll("main").length !== 1) problems.push("there is not exactly one main");
if (!document.documentElement.lang) problems.push("the page has no language");
if (!document.title) problems.push("the page has no title");

// Nothing inline, nothing unknown, nothing wider than the window.
if (document.querySelector("[onclick], script:not([src]), style")) problems.push("inline code");
if (document.body.textContent.includes("⟦")) problems.push("an unknown word");
const overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
if (overflow > 0) problems.push(`wider than the window by ${overflow} px`);

// Everything comes from this host, and all of it together is small. A text's visit of the browser's
// cache counts as if it had been fetched.
const loaded = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
for (const { name } of loaded) {
  if (new URL(name).origin !== location.origin) problems.push(`asks another host: ${name}`);
}
const kilobytes = loaded.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0) / 1024;
if (kilobytes > 300) problems.push(`the page and its parts have ${Math.round(kilobytes)} KB`);

// The order of the keyboard is the order of the page.
for (const element of document.querySelectorAll("[tabindex]")) {
  if (element.tabIndex > 0) problems.push(`out of order for the keyboard: ${describe(element)}`);
}

// Targets are 40 px or more; links in running text and in table cells are as tall as their line.
for (const element of document.querySelectorAll(
  "button, input:not([type=hidden]):not([type=radio]):not([type=checkbox]), select, textarea, .nav a, .tabs a, a.button, summary")) {
  if (!shown(element) || element.closest("[popover]")) continue;
  const { width, height } = element.getBoundingClientRect();
  if (height < 39.5 && !element.closest(".small-targets")) {
    problems.push(`only ${Math.round(width)} × ${Math.round(height)} px: ${describe(element)}`);
  }
}

// Text stands out from what is behind it: 4.5 to 1, large text 3 to 1.
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const parse = (colour) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
};
const over = (top, below) =>
  [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const luminance = ([r, g, b]) => [r, g, b].reduce((sum, value, i) => {
  const c = value / 255;
  const linear = c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  return sum + linear * [0.2126, 0.7152, 0.0722][i];
}, 0);
// The colour behind an element, or nothing when a picture or gradient is there.
const behind = (element) => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (style.backgroundImage !== "none" && at !== element) return undefined;
    const colour = parse(style.backgroundColor);
    if (colour[3] > 0) layers.push(colour);
    if (colour[3] === 1) break;
  }
  return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const seen = new Set();
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || seen.has(element) || !shown(element)) continue;
  if (element.closest("[disabled], option, .hidden-text, svg, .skip, [aria-hidden=true]")) continue;
  seen.add(element);
  const background = behind(element);
  if (!background) continue;
  const style = getComputedStyle(element);
  const text = over(parse(style.color), background);
  const [light, dark] = [luminance(text), luminance(background)].sort((a, b) => b - a);
  const ratio = (light + 0.05) / (dark + 0.05);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  if (ratio < (isLarge ? 3 : 4.5)) {
    problems.push(`contrast ${ratio.toFixed(2)}: ${describe(element)}`);
  }
}
return problems;
