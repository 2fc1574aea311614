import { describe, expect, it } from "vitest";

import { readRoute } from "./router.svelte";

describe("an address", () => {
  it.each([
    ["/", { page: "lobby" }],
    ["/login", { page: "login" }],
    ["/join", { page: "join" }],
    ["/watch", { page: "watch" }],
    ["/watch/t-12", { page: "lost" }],
    ["/enter", { page: "enter" }],
    ["/tables/t-12/rounds/7", { page: "round", table: "t-12", round: 7 }],
    ["/tables/t-12/rounds/0", { page: "lost" }],
    ["/tables/t-12/rounds", { page: "lost" }],
    ["/tables/t-12/rounds/7/more", { page: "lost" }],
    ["/tables/t-12", { page: "table", table: "t-12" }],
    ["/tables/t-12/dealer", { page: "dealer", table: "t-12" }],
    ["/account/", { page: "account" }],
    ["/rules", { page: "rules", digest: null }],
    ["/rules/abc", { page: "rules", digest: "abc" }],
    ["/tables", { page: "lost" }],
    ["/tables/t/pit", { page: "lost" }],
    ["/tables/t/dealer/more", { page: "lost" }],
    ["/login/more", { page: "lost" }],
    ["/rounds/t-12/7", { page: "round", table: "t-12", round: 7 }],
    ["/rounds/t-12/0", { page: "lost" }],
    ["/shoes/t-12/2", { page: "shoe", table: "t-12", shoe: 2 }],
    ["/shoes/t-12", { page: "lost" }],
    ["/board/t-12", { page: "board", table: "t-12" }],
    ["/board", { page: "board", table: "" }],
    ["/pit", { page: "pit", parts: [] }],
    ["/pit/cases/t-12", { page: "pit", parts: ["cases", "t-12"] }],
    ["/audit/rounds/t-12/7/9", { page: "audit", parts: ["rounds", "t-12", "7", "9"] }],
    ["/odds/ez/8", { page: "odds", parts: ["ez", "8"] }],
  ])("%s is a page", (path, route) => {
    expect(readRoute(path)).toEqual(route);
  });
});
