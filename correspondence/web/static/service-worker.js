// Shows notifications. A push message has no content: the worker asks the server for the news of the signed-in member.

const NEWS = "/games/waiting.json";
const GAMES = "/games";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("push", (event) => event.waitUntil(tell()));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open());
});

async function tell() {
  const answer = await fetch(NEWS, { cache: "no-store", headers: { Accept: "application/json" } }).catch(() => null);
  const news = answer?.ok ? await answer.json() : null;
  const body = news ? (news.waiting ? news.words : news.news) : "";
  const shown = { body, tag: "games", renotify: true, icon: "/static/icon-192.png", badge: "/static/icon-192.png" };
  await self.registration.showNotification("Correspondence", shown);
}

async function open() {
  const windows = await self.clients.matchAll({ type: "window" });
  const games = windows.find((one) => new URL(one.url).pathname.startsWith(GAMES));
  return games ? games.focus() : self.clients.openWindow(GAMES);
}
