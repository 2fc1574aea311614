import { describe, expect, it } from "vitest";

import { readRoute } from "./router.svelte";

describe("an address", () => {
  it.each([
    ["/", { page: "lobby" }],
    ["/login", { page: "login" }],
    ["/join", { page: "join" }],
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
  ])("%s is a page", (path, route) => {
    expect(readRoute(path)).toEqual(route);
  });
});
