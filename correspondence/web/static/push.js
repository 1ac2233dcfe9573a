// Subscribe this browser to push notifications, or unsubscribe it, on the settings page.

const form = document.querySelector("[data-push]");
const part = (name) => form.querySelector(`[data-part="push-${name}"]`);
const [state, on, off] = ["state", "on", "off"].map(part);
const isAble = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const registration = isAble ? await navigator.serviceWorker.register(form.dataset.worker).catch(() => null) : null;

async function show(sentence = "") {
  const subscribed = await registration?.pushManager.getSubscription();
  on.hidden = !registration || Boolean(subscribed);
  off.hidden = !subscribed;
  state.textContent = sentence || (registration ? form.dataset[subscribed ? "onWords" : "offWords"] : form.dataset.unable);
}

async function send(action, endpoint) {
  form.elements.endpoint.value = endpoint;
  const answer = await fetch(action, { method: "POST", body: new FormData(form) });
  if (!answer.ok) throw new Error(answer.status);
}

on.addEventListener("click", async () => {
  if ((await Notification.requestPermission()) !== "granted") return show(form.dataset.denied);
  try {
    const asked = { userVisibleOnly: true, applicationServerKey: form.dataset.key };
    const subscribed = await (await navigator.serviceWorker.ready).pushManager.subscribe(asked);
    await send(form.action, subscribed.endpoint).catch((error) => subscribed.unsubscribe().then(() => Promise.reject(error)));
    await show();
  } catch {
    await show(form.dataset.failed);
  }
});

off.addEventListener("click", async () => {
  const subscribed = await registration.pushManager.getSubscription();
  await subscribed?.unsubscribe();
  if (subscribed) await send(form.dataset.off, subscribed.endpoint).catch(() => null);
  await show();
});

await show();
