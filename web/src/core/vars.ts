/** Sizes that follow from what lies on the table, handed to the style sheet as variables. */

import type { Attachment } from "svelte/attachments";

/** Set variables of an element; the Content-Security-Policy allows no style written in the document. */
export function vars(values: Record<string, string | number>): Attachment<HTMLElement | SVGElement> {
  return (node) => {
    for (const [name, value] of Object.entries(values)) node.style.setProperty(`--${name}`, String(value));
  };
}
