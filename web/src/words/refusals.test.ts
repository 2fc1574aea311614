import { afterEach, describe, expect, it } from "vitest";

import { Refused, Unreachable } from "../api/client";
import type { AreaView, RefusalText } from "../api/schema";
import { language, LANGUAGES, speak } from "./language.svelte";
import { fetchRefusals, problemWords, refusalWords } from "./refusals";

await fetchRefusals();
await Promise.all(LANGUAGES.map(({ code }) => speak(code)));
await speak("en");

const AREAS = [
  { area: "player", label: { en: "Player", zh_hans: "闲", zh_hant: "閒" } },
  { area: "banker", label: { en: "Banker", zh_hans: "庄", zh_hant: "莊" } },
  { area: "winning-total-7", label: { en: "Winning Total 7", zh_hans: "胜出点数 7", zh_hant: "勝出點數 7" } },
] as AreaView[];

function refusal(reason: string, params: RefusalText["params"], clause: string | null = null): RefusalText {
  return { reason, params, sentence: `${reason} in English`, clause };
}

afterEach(() => {
  language.code = "en";
});

describe("a refusal", () => {
  it("is the server's own sentence in English", () => {
    expect(refusalWords(refusal("bets-closed", {}, "5.6"))).toBe("Bets-closed in English");
  });

  it("names areas in English too, the longer names first", () => {
    const text = { ...refusal("needs-bet", { needs: "player or banker", area: "winning-total-7" }), sentence: "winning-total-7 may only be bet together with player or banker" };
    expect(refusalWords(text, AREAS)).toBe("Winning Total 7 may only be bet together with Player or Banker");
    expect(refusalWords(text, [])).toBe("Winning-total-7 may only be bet together with player or banker");
    const pair = { area: "banker-pair", label: { en: "Banker Pair" } } as AreaView;
    const alike = { ...refusal("needs-bet", { needs: "banker", area: "banker-pair" }), sentence: "banker-pair may only be bet together with banker" };
    expect(refusalWords(alike, [...AREAS, pair])).toBe("Banker Pair may only be bet together with Banker");
  });

  it("names areas, roles and amounts as the page does", () => {
    language.code = "zh-Hant";
    expect(refusalWords(refusal("needs-bet", { area: "winning-total-7", needs: "player or banker" }, "3.3"), AREAS)).toBe("勝出點數 7 只能與 閒或莊 一起下注（3.3）");
    expect(refusalWords(refusal("rank-needed", { rank: "pit-manager" }))).toBe("需要區經理或以上");
    language.code = "zh-Hans";
    expect(refusalWords(refusal("below-minimum", { area: "banker", minimum: "1000.00", amount: "25.50" }), AREAS)).toBe("庄 最低下注 1,000，这一注是 25.50");
  });

  it("keeps the name of an area that the page does not know", () => {
    language.code = "zh-Hans";
    expect(refusalWords(refusal("not-a-wager", { area: "tiger" }), AREAS)).toBe("tiger 不能加注");
  });

  it("of a reason without Chinese words stays in English", () => {
    language.code = "zh-Hans";
    expect(refusalWords(refusal("brand-new", {}))).toBe("Brand-new in English");
  });
});

describe("what did not go through", () => {
  it("is refused, or did not reach the server", () => {
    expect(problemWords(new Refused(409, refusal("paused", {})))).toBe("Paused in English");
    expect(problemWords(new Unreachable("/tables"))).toBe("The server cannot be reached. Try again.");
  });
});
