// Calls of adbkit, by name: node adbkit_calls.js FOLDER_OF_ADBKIT PORT SERIAL NAME…; each result is printed as a line of JSON.
"use strict";

const { Readable } = require("node:stream");
const [folder, port, serial, ...names] = process.argv.slice(2);
const { Adb } = require(folder);

const client = Adb.createClient({ host: "127.0.0.1", port: Number(port) });
const phone = client.getDevice(serial);
const all = async (stream) => Adb.util.readAll(await stream);
const text = async (stream) => (await all(stream)).toString();
const once = (emitter, event) => new Promise((resolve) => emitter.once(event, resolve));
// What a tracker tells first comes at once: whoever waits for the tracker before listening has missed it.
const first = (tracker, event) => tracker.then((it) => once(it, event).finally(() => it.end()));
const soon = (promise) =>
  Promise.race([promise, new Promise((_, reject) => setTimeout(reject, 10000, new Error("no answer")))]);
const ended = (transfer) =>
  new Promise((resolve, reject) => transfer.on("end", () => resolve(true)).on("error", reject));
const piecewise = (bytes) =>
  new Readable({
    read() {
      this.push(bytes);
      this.push(null);
    },
  });

const CALLS = {
  version: () => client.version(),
  devices: () => client.listDevices(),
  tracked: () => first(client.trackDevices(), "add"),
  serial: () => phone.getSerialNo(),
  state: () => phone.getState(),
  release: async () => (await phone.getProperties())["ro.build.version.release"],
  features: () => phone.getFeatures(),
  packages: () => phone.getPackages("-3"),
  shell: () => text(phone.shell("echo 你好; echo err >&2")),
  shell_words: () => text(phone.shell(["echo", "a  b", "$HOME", "it's"])),
  screencap: async () => (await all(phone.screencap())).subarray(1, 4).toString(),
  forward: async () => {
    await phone.forward("tcp:0", "tcp:7777");
    return phone.listForwards();
  },
  reverse: async () => {
    await phone.reverse("tcp:7001", "tcp:7002");
    return phone.listReverses();
  },
  open_tcp: async () => {
    const stream = await phone.openTcp(7777);
    stream.write("hello"); // not ended: adb's server would close both directions
    return text(stream);
  },
  closed_port: () => phone.openTcp(7778),
  push: async () => {
    const transfer = await phone.push(piecewise(Buffer.alloc(300000, "kit")), "/sdcard/Movies/kit.bin", 0o644);
    await ended(transfer);
    const stat = await phone.stat("/sdcard/Movies/kit.bin");
    return { size: Number(stat.size), file: stat.isFile() };
  },
  pull: async () => (await all(phone.pull("/sdcard/Movies/kit.bin"))).toString("latin1").slice(0, 6),
  pull_nothing: async () => ended(await phone.pull("/sdcard/nothing")),
  stat_nothing: () => phone.stat("/sdcard/nothing"),
  names: async () => (await phone.readdir("/sdcard")).map((entry) => [entry.name, entry.isDirectory()]),
  cpu: async () => {
    const stat = await phone.openProcStat();
    const load = await once(stat, "load");
    stat.end();
    return Object.keys(load);
  },
  start: () => phone.startActivity({ component: "com.android.settings/.Settings", wait: true }),
  link: () =>
    phone.startActivity({ action: "android.intent.action.VIEW", data: "bilibili://search?keyword=a b", wait: true }),
  start_nothing: () => phone.startActivity({ component: "no.app/.Main", wait: true }),
  installed: async () => [await phone.isInstalled("com.android.settings"), await phone.isInstalled("no.app")],
  clear: () => phone.clear("com.android.settings"),
  clear_nothing: () => phone.clear("no.app"),
  install_nonsense: () => phone.install(piecewise(Buffer.from("no package"))),
  booted: () => phone.waitBootComplete(),
  ready: () => phone.waitForDevice(),
  root: () => phone.root(),
  remount: () => phone.remount(),
  debuggable: () => first(phone.trackJdwp(), "changeSet"),
  log: async () => {
    const log = await phone.openLogcat({ clear: true });
    const entry = once(log, "entry");
    await text(phone.shell("log -p w -t kit 'hello log'"));
    const { priority, tag, message } = await entry;
    log.end();
    return { priority, tag, message };
  },
  monkey: async () => {
    const monkey = await phone.openMonkey();
    const asked = (...words) =>
      new Promise((resolve, reject) => monkey[words[0]](...words.slice(1), (error, value) => (error ? reject(error) : resolve(value))));
    const width = await asked("get", "display.width");
    await asked("tap", 540, 660);
    await asked("press", 4);
    monkey.end();
    return width;
  },
};

async function main() {
  for (const name of names) {
    let line;
    try {
      line = { result: await soon(CALLS[name]()) };
    } catch (error) {
      line = { error: error.message };
    }
    console.log(JSON.stringify(line));
  }
  process.exit(0);
}

main();
