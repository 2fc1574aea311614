// Money as people type it, read in the same way wherever it is typed. A comma or a blank before three digits groups
// thousands, before one or two it begins the cents: nobody who types 1,000 means one.

const GROUPED = /^(\d{1,3}(?:[, \u00a0]\d{3})+)(?:\.(\d{1,2}))?$/;
const PLAIN = /^(\d{1,12})(?:[.,](\d{1,2}))?$/;
const MOST_DIGITS = 12;

/** Minor units: 125050 for "1,250.50" and for "1250,50"; null where it is not an amount. */
export function minorOf(text: string): number | null {
  const [, whole, cents = ""] = GROUPED.exec(text.trim()) ?? PLAIN.exec(text.trim()) ?? [];
  const digits = whole?.replace(/\D/g, "") ?? "";
  if (digits === "" || digits.length > MOST_DIGITS) return null;
  return Number(digits) * 100 + Number(cents.padEnd(2, "0"));
}
