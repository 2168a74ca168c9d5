// WebKitGTK's MiniBrowser, driven over WebDriver on a screen of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Builder, Key as DriverKey, type WebDriver, type WebElement } from 'selenium-webdriver'
import { freePort } from '../../packages/server/test/free-port.ts'
import { laptop, patienceMs } from '../browser.ts'
import type { Engine } from './engine.ts'
import type { Driver, Key } from './screen.ts'

const program = '/usr/bin/WebKitWebDriver'
const folders = ['4.1', '4.0'].map(
  (version) => `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-${version}`,
)

/** The height of the browser's own bars. */
const barsHeight = 82

const codes: Readonly<Partial<Record<Key, string>>> = {
  Enter: DriverKey.ENTER,
  Escape: DriverKey.ESCAPE,
  Delete: DriverKey.DELETE,
  F2: DriverKey.F2,
  End: DriverKey.END,
}

/** Starts the driver and its screen. Each page is a browser of its own. */
export async function openWebKit(): Promise<Engine> {
  const binary = folders.map((folder) => `${folder}/MiniBrowser`).find(existsSync)
  if (binary === undefined || !existsSync(program))
    throw new Error('this test needs webkit2gtk-driver and xvfb: npm run test:full installs them')
  const started: ChildProcess[] = []
  // The display that is free is written to the third descriptor.
  const display = await new Promise<string>((found, failed) => {
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    started.push(screen)
    screen.once('error', failed)
    screen.stdio[3]?.once('data', (line: Buffer) => found(`:${line.toString().trim()}`))
  })
  const port = await freePort()
  started.push(
    spawn(program, [`--port=${port}`], {
      stdio: 'ignore',
      env: {
        ...process.env,
        DISPLAY: display,
        LC_ALL: 'C.UTF-8',
        LANGUAGE: 'zh_CN',
        LIBGL_ALWAYS_SOFTWARE: '1',
        // Its sandbox needs what a container does not have.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      },
    }),
  )
  const service = `http://127.0.0.1:${port}`
  for (const end = Date.now() + patienceMs; ; await delay(100)) {
    const isThere = await fetch(`${service}/status`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) break
    if (Date.now() > end) throw new Error('WebKitWebDriver does not answer')
  }
  return {
    problems: [],
    async open(url) {
      const browser = await new Builder()
        .usingServer(service)
        .withCapabilities({
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': { binary, args: ['--automation'] },
        })
        .build()
      const { width, height } = laptop.viewport
      await browser
        .manage()
        .window()
        .setRect({ width, height: height + barsHeight, x: 0, y: 0 })
      await browser.get(url)
      return driverOf(browser)
    },
    close() {
      for (const one of started) one.kill()
      return Promise.resolve()
    },
  }
}

const driverOf = (browser: WebDriver): Driver<WebElement> => ({
  goto: (url) => browser.get(url),
  url: () => browser.getCurrentUrl(),
  async element(find, named) {
    return (await browser.executeScript<WebElement | null>(find, named)) ?? undefined
  },
  ask: (answer, asked) => browser.executeScript(answer, asked),
  async click(element, how) {
    if (how === 'once') return element.click()
    const actions = browser.actions()
    await (how === 'twice' ? actions.doubleClick(element) : actions.contextClick(element)).perform()
  },
  async type(text) {
    await browser.actions().sendKeys(text).perform()
  },
  async press(key, withControl) {
    const code = codes[key] ?? key
    const actions = browser.actions()
    if (withControl) actions.keyDown(DriverKey.CONTROL)
    actions.sendKeys(code)
    if (withControl) actions.keyUp(DriverKey.CONTROL)
    await actions.perform()
  },
  chooseFile: (element, path) => element.sendKeys(path),
  async picture(path) {
    // A picture shows the frame before, unless the next ones are waited for.
    await browser.executeAsyncScript((drawn: () => void) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    await writeFile(path, Buffer.from(await browser.takeScreenshot(), 'base64'))
  },
  close: () => browser.quit(),
})
