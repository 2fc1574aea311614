// Search runs in a worker. A browser starts none for a page that was opened as a file, so there the worker's script
// runs in a frame that nobody sees. Zensical would load such a script from another host; this one is ours.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(address) {
      this.onmessage = null;
      this.onerror = null;
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => later(data, (copy) => this.onmessage?.({ data: copy }));
      const script = inside.document.createElement("script");
      script.src = new URL(address, location.href).href;
      script.onload = () => {
        const told = this.waiting;
        this.waiting = null;
        told.forEach((data) => this.postMessage(data));
      };
      script.onerror = (error) => this.onerror?.(error);
      inside.document.body.append(script);
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else later(data, (copy) => this.frame.contentWindow?.onmessage({ data: copy }));
    }

    terminate() {
      this.frame.remove();
    }
  };

  // As between a page and a worker: what is told is a copy, and it is told after whatever runs now.
  function later(data, tell) {
    const copy = structuredClone(data);
    setTimeout(() => tell(copy));
  }
}
