() => {
  const faults = [];
  const box = (node) => node.getBoundingClientRect();
  const shown = (node) => box(node).width > 0 && getComputedStyle(node).visibility !== 'hidden';
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1) faults.push(`the page scrolls sideways (${root.scrollWidth})`);
  if (innerWidth > 900 && innerHeight > 720 && root.scrollHeight > innerHeight + 1) faults.push(`the page scrolls (${root.scrollHeight})`);
  for (const text of all('main :is(h1, h2, h3, p, b, small, .words, .figure, .button, a, .outcome, .deed)')) {
    const at = box(text);
    if (at.left < -1 || at.right > innerWidth + 1) faults.push(`"${text.textContent.trim()}" leaves the page`);
    if (text.scrollWidth > text.clientWidth + 1 && getComputedStyle(text).display !== 'inline') faults.push(`"${text.textContent.trim()}" is cut`);
    if (parseFloat(getComputedStyle(text).fontSize) < 11.5) faults.push(`small text "${text.textContent.trim().slice(0, 12)}"`);
    if (/(review|because|hint)\.[a-z]|\{/.test(text.textContent)) faults.push(`"${text.textContent.trim()}" has no words`);
  }
  for (const sheet of all('.sheet')) {
    const around = box(sheet);
    if (sheet.scrollWidth > sheet.clientWidth + 1) faults.push(`${sheet.className} is too narrow`);
    for (const part of sheet.querySelectorAll('.text, .trick, .graph, .luck, .below, .rows, .board, .draft')) {
      const at = box(part);
      if (at.bottom > around.bottom + 2 || at.right > around.right + 2 || at.left < around.left - 2) faults.push(`${part.className.split(' ')[0]} leaves its sheet`);
    }
  }
  const graph = document.querySelector('.graph');
  const frame = box(graph);
  if (frame.height < 110 || frame.width < 200) faults.push(`the graph is ${frame.width.toFixed(0)}x${frame.height.toFixed(0)}`);
  for (const part of graph.querySelectorAll('text, circle, .turn')) {
    const at = box(part);
    if (at.left < frame.left - 6 || at.right > frame.right + 12 || at.top < frame.top - 16 || at.bottom > frame.bottom + 6) faults.push(`${part.textContent || part.getAttribute('class')} leaves the graph`);
  }
  const trick = document.querySelector('.trick');
  if (trick) {
    const around = box(trick);
    for (const part of trick.querySelectorAll('.hand span, .laid li, .specials span, .arrows .tip, .arrows .ring')) {
      const at = box(part);
      if (at.left < around.left - 10 || at.right > around.right + 10 || at.bottom > around.bottom + 10 || at.top < around.top - 10) faults.push(`${part.getAttribute('class') ?? 'a card'} leaves the table`);
    }
    const rows = box(trick.firstElementChild), below = box(trick.querySelector('.below'));
    if (rows.bottom > below.top + 4) faults.push('the rows lie on the hand');
    if (!trick.querySelector('.arrows .ring')) faults.push('nothing is ringed');
  }
  return faults;
}
