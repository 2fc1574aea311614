// Sentences with gaps, as the files of words have them: "{n} of {all} boxes free". One that depends on a number has
// several forms: `by` names the gap that chooses, and the rest are numbers ("0") or plural forms ("one", "other").

export type Forms = { readonly by: string; readonly other: string } & Readonly<Record<string, string>>;
export type Sentence = string | Forms;
export type Gaps = Readonly<Record<string, string | number>>;

/** What all languages have where English has this: the same keys, with sentences that may have forms of their own. */
export type WordsOf<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : English[Key] extends { by: string } ? Sentence : WordsOf<English[Key]>;
};

export function gapsFilled(sentence: Sentence, gaps: Gaps, code: string): string {
  const form = typeof sentence === "string" ? sentence : formFor(sentence, gaps[sentence.by] ?? "", code);
  return form.replace(/\{(\w+)\}/g, (gap, name: string) => String(gaps[name] ?? gap));
}

function formFor(forms: Forms, value: string | number, code: string): string {
  return forms[String(value)] ?? forms[new Intl.PluralRules(code).select(Number(value))] ?? forms.other;
}
