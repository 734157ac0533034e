"use strict";
// A list of any length, of which only the rows in sight exist.

class VirtualList {
  /** `row(item)` makes a row's element; `height` is that of each in pixels. */
  constructor(row, height = 46) {
    this.row = row;
    this.height = height;
    this.items = [];
    this.here = -1;
    this.space = el("div", { class: "space" });
    this.element = el("div", { class: "rows", tabindex: "0", role: "listbox", "aria-label": "Problems" }, this.space);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(items, here) {
    this.items = items;
    this.here = here;
    this.space.style.height = `${items.length * this.height}px`;
    this.draw();
  }

  select(here) {
    this.here = Math.max(0, Math.min(here, this.items.length - 1));
    const top = this.here * this.height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.height > scrollTop + clientHeight) this.element.scrollTop = top + this.height - clientHeight;
    this.draw();
  }

  draw() {
    const spare = 6;
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.height) - spare);
    const count = Math.ceil(this.element.clientHeight / this.height) + 2 * spare;
    const rows = this.items.slice(first, first + count).map((item, offset) => {
      const element = this.row(item);
      const place = first + offset;
      element.style.top = `${place * this.height}px`;
      element.setAttribute("role", "option");
      element.setAttribute("aria-selected", String(place === this.here));
      element.classList.toggle("here", place === this.here);
      return element;
    });
    this.space.replaceChildren(...rows);
  }
}
