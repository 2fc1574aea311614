// Files that are made in the browser.

export function save(name: string, kind: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: kind }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser reads it after the click
}

/** The file that checks a shoe, with the record of one in it. */
export function keptFile(file: string, record: string, code: string): string {
  const text = record.replaceAll("<", "\\u003c"); // no record ends the element that it stands in
  return file.replace(/(<script type="application\/json" id="record">)[^<]*/, (_, begin: string) => begin + text).replace(/<html lang="[^"]*"/, () => `<html lang="${code}"`);
}
