() => {
  const faults = [];
  const box = (node) => node.getBoundingClientRect();
  const panel = document.querySelector('section.hint');
  if (!panel) return ['no hint'];
  const place = box(panel);
  if (place.left < -1 || place.top < -1 || place.right > innerWidth + 1 || place.bottom > innerHeight + 1) faults.push('the hint is cut');
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1 || root.scrollHeight > innerHeight + 1) faults.push('the page scrolls');
  if (panel.scrollWidth > panel.clientWidth + 1) faults.push('the hint scrolls sideways');
  const covers = (node) => {
    const other = box(node);
    return place.left < other.right - 2 && other.left < place.right - 2 && place.top < other.bottom - 2 && other.top < place.bottom - 2;
  };
  if ([...document.querySelectorAll('.hand [data-card]')].some(covers)) faults.push('the hint covers the hand');
  const options = [...panel.querySelectorAll('[data-hint]')];
  if (!options.length || options.length > 3) faults.push(`${options.length} options`);
  for (const option of options) {
    const why = option.querySelector('.why')?.textContent.trim() ?? '';
    for (const bar of option.querySelectorAll('.bar i')) if (box(bar).width < 0.5) faults.push(`${option.dataset.hint} has an empty bar`);
    if (why.length < 5 || /because\.|hint\.|\{/.test(option.textContent)) faults.push(`${option.dataset.hint} says "${option.textContent.trim()}"`);
  }
  for (const text of panel.querySelectorAll('h2, b, .why, .foot, .words')) {
    if (text.scrollWidth > text.clientWidth + 1 && getComputedStyle(text).display !== 'inline') faults.push(`"${text.textContent.trim()}" is cut`);
    if (parseFloat(getComputedStyle(text).fontSize) < 11.5) faults.push(`small text "${text.textContent.trim().slice(0, 12)}"`);
    const at = box(text);
    if (at.right > place.right + 1 || at.left < place.left - 1) faults.push(`"${text.textContent.trim()}" leaves the hint`);
  }
  return faults;
}
