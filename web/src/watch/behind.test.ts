import { describe, expect, it } from "vitest";

import english from "../../../src/punto/words/en/page.json";
import { gapsFilled, type Gaps, type Sentence } from "../words/sentence";
import { behindWords } from "./behind";

const say = (sentence: Sentence, gaps: Gaps) => gapsFilled(sentence, gaps, "en");

describe("how late somebody without an account sees things", () => {
  it.each([
    [0, "Watching as it happens"],
    [1, "Watching, 1 second behind"],
    [30, "Watching, 30 seconds behind"],
    [60, "Watching, 60 seconds behind"],
    [90, "Watching, 90 seconds behind"],
    [300, "Watching, 5 minutes behind"],
    [3600, "Watching, 1 hour behind"],
    [86400, "Watching, 24 hours behind"],
  ])("%d seconds are said", (seconds, said) => {
    expect(behindWords(seconds, english, say)).toBe(said);
  });
});
