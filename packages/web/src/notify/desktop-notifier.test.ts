// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
// Desktop notifications and sounds: announced once, by one tab, and not while the user is looking at the page or has
// quiet hours.
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeApi } from '../../test/fake-api.ts'
import { until } from '../../test/render.tsx'
import { loadSignedIn } from '../app/join-areas.ts'
import { pushHandlers } from '../core/area/area.ts'
import { centreStore, startCentre } from '../core/notices/notice-centre.ts'
import { loadRules } from '../core/notices/notice-groups.ts'
import { noticePreferencesStore, setNoticePreferences } from '../core/notices/notice-preferences.ts'
import { desktopPermission, playSound, requestDesktopPermission, startDesktopNotifier } from './desktop-notifier.ts'

/** A fake of the Web Locks shared by the tabs of a browser. */
class Locks {
  private readonly waiting: { name: string; shared: boolean; work: () => Promise<void>; signal?: AbortSignal }[] = []
  private readonly held: { name: string; shared: boolean }[] = []

  request(name: string, ...rest: [LockOptions, () => Promise<void>]): Promise<void> {
    const [{ mode, signal }, work] = rest
    const asked = { name, shared: mode === 'shared', work, ...(signal === undefined ? {} : { signal }) }
    const done = new Promise<void>((resolve, reject) => {
      this.waiting.push({ ...asked, work: () => work().then(resolve) })
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
    this.look()
    return done
  }

  private look(): void {
    for (const asked of [...this.waiting]) {
      const isHeld = this.held.some(({ name, shared }) => name === asked.name && !(shared && asked.shared))
      if (asked.signal?.aborted === true) this.waiting.splice(this.waiting.indexOf(asked), 1)
      else if (!isHeld) {
        this.waiting.splice(this.waiting.indexOf(asked), 1)
        this.held.push(asked)
        void asked.work().then(() => {
          this.held.splice(this.held.indexOf(asked), 1)
          this.look()
        })
      }
    }
  }

  async query(): Promise<{ held: { name: string }[] }> {
    return { held: this.held }
  }
}

class Told {
  static permission: NotificationPermission = 'granted'
  static asked = 0
  static all: Told[] = []
  static async requestPermission(): Promise<NotificationPermission> {
    Told.asked += 1
    Told.permission = 'granted'
    return 'granted'
  }
  onclick?: () => void
  isClosed = false
  readonly title: string
  readonly options: NotificationOptions
  constructor(title: string, options: NotificationOptions) {
    ;[this.title, this.options] = [title, options]
    Told.all.push(this)
  }
  close(): void {
    this.isClosed = true
  }
}

const nothing = (): void => undefined

let sounds = 0
class Audio {
  readonly currentTime = 0
  readonly destination = {}
  constructor() {
    sounds += 1
  }
  createGain() {
    return { gain: { setValueAtTime: nothing, exponentialRampToValueAtTime: nothing }, connect: nothing }
  }
  createOscillator() {
    return { frequency: { value: 0 }, connect: nothing, start: nothing, stop: nothing }
  }
  async close(): Promise<void> {}
}

let account = 900
let visible: DocumentVisibilityState = 'hidden'
let stops: (() => void)[] = []
let went: string[] = []
const openTab = (): (() => void) => {
  const stop = startDesktopNotifier((path) => went.push(path))
  stops.push(stop)
  return stop
}
const look = (state: DocumentVisibilityState): void => {
  visible = state
  document.dispatchEvent(new Event('visibilitychange'))
}

let n = 0
/** Delivers this many share notices at once, and waits until the page has them. */
async function come(count: number): Promise<void> {
  const before = centreStore.getState().total
  for (let one = 0; one < count; one += 1) {
    n += 1
    pushHandlers().shareRemind(
      {
        serverId: 0,
        remindId: n,
        operatorName: '王敏',
        targetName: '林夏',
        shareType: 0,
        docName: `合同${n}.docx`,
        fId: n,
        fileId: n,
        folderId: 0,
        parentId: 0,
        operate: 11,
        createTime: n,
      },
      undefined,
    )
  }
  await until(() => centreStore.getState().total === before + count)
  // Lets the lock query for a visible tab finish.
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}
const bodies = (): (string | undefined)[] => Told.all.map(({ options }) => options.body)

beforeAll(() => Promise.all([loadSignedIn(), loadRules()]))
beforeEach(() => {
  localStorage.clear()
  account += 1
  ;[n, sounds, went, visible] = [0, 0, [], 'hidden']
  Told.all = []
  Told.asked = 0
  Told.permission = 'granted'
  fakeApi({ getNotices: () => new Promise(() => undefined) })
  vi.stubGlobal('Notification', Told)
  vi.stubGlobal('AudioContext', Audio)
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('focus', nothing)
  Object.defineProperty(navigator, 'locks', { value: new Locks(), configurable: true })
  Object.defineProperty(document, 'visibilityState', { get: () => visible, configurable: true })
  setNoticePreferences({ desktop: true, sound: true, quiet: false })
  stops = [startCentre(account)]
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.unstubAllGlobals()
})

describe('what comes while no tab is looked at', () => {
  it('is told on the desktop, and a click leads to the item', async () => {
    openTab()
    await come(1)
    expect(bodies()).toEqual([expect.stringMatching(/王敏.*合同1\.docx/)])
    Told.all[0]?.onclick?.()
    expect([went, Told.all[0]?.isClosed]).toEqual([[expect.stringMatching(/^\/.*1/)], true])
    expect(went).not.toContain('/notify/list')
  })

  it('is told once where it is much, with how many, and leads to the list', async () => {
    openTab()
    await come(500)
    expect(bodies()).toEqual([expect.stringContaining('499')])
    expect(sounds).toBe(1)
    Told.all[0]?.onclick?.()
    expect(went).toEqual(['/notify/list'])
  })

  it('is told by one tab alone, and by another one once that is closed', async () => {
    const first = openTab()
    openTab()
    await come(1)
    expect([Told.all.length, sounds]).toEqual([1, 1])
    first()
    await come(1)
    expect([Told.all.length, sounds]).toEqual([2, 2])
  })

  it('is not told by a page whose person has signed out', async () => {
    openTab()()
    await come(1)
    expect([Told.all.length, sounds]).toEqual([0, 0])
  })
})

describe('nothing pops up', () => {
  it('while a tab is looked at: there is a sound, and again a notification when nobody looks any more', async () => {
    openTab()
    look('visible')
    await come(1)
    expect([Told.all.length, sounds]).toEqual([0, 1])
    look('hidden')
    await come(1)
    expect([Told.all.length, sounds]).toEqual([1, 2])
  })

  it('in quiet hours, not even a sound', async () => {
    openTab()
    setNoticePreferences({ quiet: true, quietFrom: 0, quietTo: 24 * 60 })
    await come(1)
    expect([Told.all.length, sounds, centreStore.getState().total]).toEqual([0, 0, 1])
  })

  it('where it is not chosen, here or in another tab, or the browser does not allow it', async () => {
    openTab()
    Told.permission = 'denied'
    await come(1)
    Told.permission = 'granted'
    localStorage.setItem(
      'noticeChoices',
      JSON.stringify({ ...noticePreferencesStore.getState(), desktop: false, sound: false }),
    )
    window.dispatchEvent(new StorageEvent('storage', { key: 'noticeChoices' }))
    await come(1)
    expect([Told.all.length, sounds]).toEqual([0, 1])
  })
})

it('the browser is asked only where it has not answered yet, and is taken as it is', async () => {
  Told.permission = 'default'
  await requestDesktopPermission()
  await requestDesktopPermission()
  expect([Told.asked, desktopPermission()]).toEqual([1, 'granted'])
  vi.stubGlobal('isSecureContext', false)
  expect(desktopPermission()).toBe('missing')
  vi.stubGlobal('AudioContext', undefined)
  Reflect.deleteProperty(window, 'AudioContext')
  expect(() => playSound()).not.toThrow()
})
