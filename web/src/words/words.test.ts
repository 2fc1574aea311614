import { describe, expect, it, vi } from "vitest";

import { preferences } from "../state/preferences.svelte";
import { consoleWords } from "./console";
import { labelOf, langOf, language, LANGUAGES, languageOf, languagesIn, say, secondOf, speak, words, wordsIn, type Words } from "./language.svelte";
import type { lobbyWords } from "./lobby";
import { averageReturn, byTable, clockTime, money, odds, oddsAs, oddsList, percent, shortMoney, signedMoney, timeOfDay } from "./numbers";

type Tree = Record<string, unknown>;

/** Every word with its path, in all its forms. */
function leaves(tree: Tree, path = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] => {
    const here = path ? `${path}.${key}` : key;
    if (key === "by") return [];
    return typeof value === "object" ? leaves(value as Tree, here) : [[here, String(value)]];
  });
}

const LATIN_ALLOWED = /PAR|Shift|Delete|punto audit [a-z]+ (-o FILE|--json)|WebCrypto|SHA|HMAC|ChaCha|Fisher|Yates|HTML|JSON|Lines|CSV|\bany\b|Punto|Home|End|Page Up|Page Down|Enter|Esc|Alt|Ctrl|[A-Z]\b|9h|10s|\{\w+\}/g;
/** Every file of words that a page shows, by its language and name. */
const FILES = import.meta.glob<Tree>(["../../../src/punto/words/*/*.json", "!**/{language,refusals,significant}.json"], { import: "default", eager: true });
const SOURCES = import.meta.glob<string>(["../**/*.ts", "../**/*.svelte", "!../**/*.test.ts"], { query: "?raw", import: "default", eager: true });
const fileOf = (field: string, name: string) => FILES[`../../../src/punto/words/${field}/${name}.json`]!;
const lobby = fileOf("en", "lobby") as unknown as ReturnType<typeof lobbyWords>;
const [english, zhHans, zhHant] = LANGUAGES.map(({ field }) => fileOf(field, "page")) as unknown as [Words, Words, Words];
await Promise.all(LANGUAGES.map(({ code }) => speak(code)));
await speak("en");

describe("the languages", () => {
  it("are those of the files, English first", () => {
    expect(LANGUAGES.map(({ code, name, field }) => [code, name, field])).toEqual([["en", "English", "en"], ["zh-Hans", "简体中文", "zh_hans"], ["zh-Hant", "繁體中文", "zh_hant"]]);
  });

  it("are one more where there is one more folder", () => {
    const files = { "words/xx/language.json": { tag: "pt-BR", name: "Xish", readers: "pt pt-BR" }, "words/en/language.json": { tag: "en", name: "English", readers: "en" } };
    const two = languagesIn(files);
    expect(two.map(({ code, field }) => [code, field])).toEqual([["en", "en"], ["pt-BR", "xx"]]);
    expect(["pt", "pt-PT", "pt-br", "de"].map((tag) => languageOf(tag, two))).toEqual(["pt-BR", "pt-BR", "pt-BR", "en"]);
  });
});

describe("the words of a page", () => {
  it("are fetched of the spoken language alone, and of another before it is spoken", async () => {
    const asked: string[] = [];
    const file = (field: string) => async () => {
      asked.push(field);
      return `words of ${field}`;
    };
    const made = await wordsIn({ "words/en/made.json": file("en"), "words/zh_hans/made.json": file("zh_hans"), "words/zh_hant/made.json": file("zh_hant") });
    const told = [made()];
    const changing = speak("zh-Hant");
    told.push(made());
    await changing;
    told.push(made(), words().player, consoleWords().notForYou);
    await speak("en");
    await speak("zh-Hant");
    await speak("en");
    expect([told, asked]).toEqual([["words of en", "words of en", "words of zh_hant", zhHant.player, fileOf("zh_hant", "console")["notForYou"]], ["en", "zh_hant"]]);
  });

  it("of two choices are those of the last one, and stay where others cannot be fetched", async () => {
    let arrive = () => {};
    const late = new Promise<string>((resolve) => (arrive = () => resolve("late")));
    const made = await wordsIn<string>({ "words/en/made.json": async () => "here", "words/zh_hans/made.json": () => late, "words/zh_hant/made.json": () => Promise.reject(new Error("no connection")) });
    const first = speak("zh-Hans");
    const second = speak("en");
    arrive();
    await Promise.all([first, second]);
    expect([language.code, made()]).toEqual(["en", "here"]);
    await speak("zh-Hant");
    expect([language.code, made()]).toEqual(["en", "here"]);
  });
});

describe("a sentence", () => {
  it("has its gaps filled in, whatever their order", () => {
    expect(say("{b} of {a}", { a: 1, b: "two" })).toBe("two of 1");
  });

  it("has forms by a number: the number itself, else its plural", () => {
    const rounds = [0, 1, 2].map((n) => say(english.backAgain, { rounds: n }));
    expect(rounds).toEqual(["Connected again.", "Connected again. 1 round was played in the meantime.", "Connected again. 2 rounds were played in the meantime."]);
    expect([4, 5].map((cards) => say(english.windowOf, { cards }))).toEqual(["after four cards", "after Player's third card"]);
    expect([0, 3].map((free) => say(lobby.boxesFree, { free, all: 7 }))).toEqual(["all 7 boxes taken", "3 of 7 boxes free"]);
  });

  it("may have no forms in a language where English has some", () => {
    expect([say(zhHans.decks, { n: 1 }), say(english.decks, { n: 1 }), say(english.decks, { n: 8 })]).toEqual(["1 副牌", "1 deck", "8 decks"]);
  });
});

describe.each(Object.entries(FILES).filter(([path]) => !path.includes("/en/")))("%s", (place, file) => {
  it("has no empty word, and none left in English", () => {
    for (const [path, word] of leaves(file)) {
      if (path !== "betStatus.live") expect(word.trim(), path).not.toBe("");
      expect(word.replace(LATIN_ALLOWED, ""), path).not.toMatch(/[a-zA-Z]{2,}/);
    }
  });

  it("has the words that English has", () => {
    const keys = (tree: Tree): string[] => Object.entries(tree).flatMap(([key, value]) => (typeof value === "object" && !("by" in (value as Tree)) ? [key, ...keys(value as Tree)] : [key]));
    expect(keys(file).sort()).toEqual(keys(FILES[place.replace(/words\/\w+\//, "words/en/")]!).sort());
  });
});

describe("the two Chinese scripts", () => {
  it("use the words of the house for the hands", () => {
    expect([zhHans.player, zhHans.banker, zhHant.player, zhHant.banker]).toEqual(["闲", "庄", "閒", "莊"]);
  });

  it("are not mixed", () => {
    const hant = Object.entries(FILES).filter(([path]) => path.includes("/zh_hant/")).flatMap(([, file]) => leaves(file)).map(([, word]) => word).join("");
    expect(hant).not.toMatch(/[闲庄补发输赢账户这个开关买红张选择]/u);
  });
});

describe("a text of a book", () => {
  it("is in the language of the page, else in English and marked so", () => {
    const whole = { en: "Tie", zh_hans: "和局", zh_hant: "和局" };
    const half = { en: "Lucky Nines", zh_hans: "Lucky Nines", zh_hant: "幸運九" };
    const bare = { en: "Lucky Nines" };
    const told = (["en", "zh-Hans", "zh-Hant"] as const).map((code) => {
      language.code = code;
      return [whole, half, bare].map((label) => [labelOf(label), langOf(label)]);
    });
    language.code = "en";
    expect(told).toEqual([
      [["Tie", undefined], ["Lucky Nines", undefined], ["Lucky Nines", undefined]],
      [["和局", undefined], ["Lucky Nines", "en"], ["Lucky Nines", "en"]],
      [["和局", undefined], ["幸運九", undefined], ["Lucky Nines", "en"]],
    ]);
  });
});

describe("the second language of the felt", () => {
  it("is a choice, and English where the page is in another", () => {
    const tie = { en: "Player", zh_hans: "闲", zh_hant: "閒" };
    const told = ([["en", null], ["en", "zh-Hans"], ["en", "en"], ["en", "none"], ["zh-Hans", null], ["zh-Hans", "zh-Hans"], ["zh-Hant", "zh-Hans"]] as const).map(([code, chosen]) => {
      [language.code, preferences.second] = [code, chosen];
      return secondOf(tie)?.text ?? null;
    });
    [language.code, preferences.second] = ["en", null];
    expect(told).toEqual(["閒", "闲", "閒", null, "Player", "Player", "闲"]);
  });
});

describe("the first language", () => {
  it("follows the browser", () => {
    expect(["en-GB", "zh-CN", "zh-TW", "zh-Hant-HK", "zh", "de"].map((tag) => languageOf(tag))).toEqual(["en", "zh-Hans", "zh-Hant", "zh-Hant", "zh-Hans", "en"]);
  });
});

describe("numbers", () => {
  it("counts tables as people do", () => {
    const tables = ["t10", "ez", "t2"].map((table) => ({ table }));
    expect(tables.sort(byTable).map((one) => one.table)).toEqual(["ez", "t2", "t10"]);
  });

  it("show cents only where there are any", () => {
    expect([money(123400, "en"), money(123450, "en"), money(5, "en")]).toEqual(["1,234", "1,234.50", "0.05"]);
    expect([signedMoney(9500, "en"), signedMoney(-100, "en"), signedMoney(0, "en")]).toEqual(["+95", "−1", "0"]);
  });

  it("are short on chips", () => {
    expect([2500, 100000, 250000, 500000000].map((n) => shortMoney(n, "en"))).toEqual(["25", "1K", "2.5K", "5M"]);
  });

  it("write odds with room and edges in per cent", () => {
    expect(odds("8:1")).toBe("8\u00a0:\u00a01");
    expect(odds("6000:1")).toBe("6,000\u00a0:\u00a01");
    expect(["191:200", "19:20", "3:2", "1:2", "13:11"].map(odds)).toEqual(["0.955:1", "0.95:1", "3:2", "1:2", "13:11"].map((text) => text.replace(":", "\u00a0:\u00a0")));
    expect(oddsList(["1:2", "1:1"])).toBe(`${odds("1:2")} / ${odds("1:1")}`);
    expect(oddsList(["1000:1", "500:1", "1:2", "35:1", "0.95:1"])).toBe(`${odds("1:2")} – ${odds("1000:1")}`);
    expect([oddsAs(["1:1", "0.95:1"], "19:20"), oddsAs(undefined, "19:20"), oddsAs(["8:1"], "19:20")]).toEqual(["0.95:1", "19:20", "19:20"].map(odds));
    expect(percent(0.010579, "en")).toBe("1.06%");
  });

  it("write odds in Chinese as what one brings, exactly", () => {
    language.code = "zh-Hans";
    expect(["8:1", "1:2", "0.95:1", "19:20", "6000:1", "2:3", "若闲输，派彩 2:1"].map(odds)).toEqual(["1赔8", "1赔0.5", "1赔0.95", "1赔0.95", "1赔6,000", "3赔2", "若闲输，派彩 1赔2"]);
    expect(oddsList(["1:2", "1:1"])).toBe("1赔0.5 / 1赔1");
    expect(oddsList(["1:2", "1:1", "2:1", "1000:1"])).toBe("1赔0.5–1,000");
    language.code = "zh-Hant";
    expect(odds("25:1")).toBe("1賠25");
    language.code = "en";
  });

  it("tell the time by one clock, of 24 hours, wherever the reader is", () => {
    const two = Date.UTC(2026, 10, 18, 14, 2);
    vi.stubGlobal("navigator", { language: "en-US" });
    for (const { code } of LANGUAGES) {
      expect(timeOfDay(two, code)).toMatch(/^\d\d:\d\d$/);
      expect(clockTime(two, code, "UTC")).toMatch(/\b14:02$/);
      expect(clockTime(Date.UTC(2026, 10, 18, 0, 5), code, "UTC")).toMatch(/\b00:05$/);
    }
    vi.unstubAllGlobals();
    const own = Object.entries(SOURCES).filter(([, text]) => /DateTimeFormat|toLocaleTimeString|toLocaleDateString/.test(text));
    expect(own.map(([path]) => path)).toEqual(["./numbers.ts"]);
  });

  it("say on which side an edge is", () => {
    expect([0.010579, -0.005, 0, 0.00001, -0.00001].map((edge) => averageReturn(edge, "en"))).toEqual(["−1.06%", "+0.50%", "0.00%", "0.00%", "0.00%"]);
  });
});
