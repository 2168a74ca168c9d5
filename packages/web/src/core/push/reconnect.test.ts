// @vitest-environment happy-dom
import { limits } from '@cloudoc/domain'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectionStore } from './connection.ts'
import type { Channel } from './push-client.ts'
import { keepOpen } from './reconnect.ts'

const channel = {
  open: vi.fn<() => void>(),
  redial: vi.fn<() => boolean>(() => false),
  reopen: vi.fn<() => void>(),
  close: vi.fn<() => void>(),
} satisfies Channel
const look = vi.fn<() => Promise<boolean>>()
let stop: () => void

beforeEach(() => {
  vi.clearAllMocks()
  vi.useFakeTimers()
  look.mockResolvedValue(false)
  connectionStore.setState({ channel: 'online', reached: true, looks: 0 })
  stop = keepOpen(channel, look)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const lost = (): void => connectionStore.setState({ channel: 'offline' })
/** Advances the clock by the longest delay between reachability checks. */
const longest = (): Promise<unknown> => vi.advanceTimersByTimeAsync(limits.reconnectLongestMs)

describe('the channel is opened again [X25]', () => {
  it('when the network is back, and closed at once when it goes', () => {
    window.dispatchEvent(new Event('offline'))
    expect(channel.close).toHaveBeenCalledOnce()
    expect(connectionStore.getState().reached).toBe(false)
    expect(channel.open).not.toHaveBeenCalled()
    window.dispatchEvent(new Event('online'))
    expect(channel.open).toHaveBeenCalledOnce()
  })

  it('when the page is looked at again, not when it is left', () => {
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    expect(channel.open).not.toHaveBeenCalled()
    visibility.mockReturnValue('visible')
    document.dispatchEvent(new Event('visibilitychange'))
    expect(channel.open).toHaveBeenCalledOnce()
  })

  it('when a call reached the server again', () => {
    lost()
    connectionStore.setState({ reached: false })
    expect(channel.open).not.toHaveBeenCalled()
    connectionStore.setState({ reached: true })
    expect(channel.open).toHaveBeenCalledOnce()
  })

  it('when a look finds the server, the first after 10 s at the earliest, and is never dialled blindly [R307] [R308]', async () => {
    lost()
    await vi.advanceTimersByTimeAsync(limits.reconnectFirstMs - 1)
    expect(look).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(limits.reconnectFirstMs / 2 + 1)
    expect(look).toHaveBeenCalledOnce()
    expect(connectionStore.getState()).toMatchObject({ reached: false, looks: 2 })
    expect(channel.open).not.toHaveBeenCalled()
    look.mockResolvedValue(true)
    await longest()
    expect(connectionStore.getState().reached).toBe(true)
    expect(channel.open).toHaveBeenCalled()
  })
})

describe('looks at a server that is away', () => {
  it('grow from 10 to 30 s and are ten; then the next click begins them anew [R307]', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    lost()
    const at: number[] = []
    look.mockImplementation(() => {
      at.push(Date.now())
      return Promise.resolve(false)
    })
    const begun = Date.now()
    await vi.advanceTimersByTimeAsync(60 * 60_000)
    expect(at.map((time, i) => time - (at[i - 1] ?? begun))).toEqual([
      10_000,
      20_000,
      ...Array.from({ length: 8 }, () => 30_000),
    ])
    expect(connectionStore.getState().looks).toBe(0)
    look.mockResolvedValue(true)
    window.dispatchEvent(new Event('pointerdown'))
    await vi.advanceTimersByTimeAsync(0)
    expect(channel.open).toHaveBeenCalled()
  })

  // [R307] Reconnects after 10 to 30 s, ten times. Pages dial the main port, which serves every channel; programs also port
  // 8016 (X32).
  it('are none where the old channel is the only one: that is dialled at those times, seen or not [R307] [R342]', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const at: number[] = []
    channel.redial.mockImplementation(() => {
      at.push(Date.now())
      connectionStore.setState({ channel: 'connecting' })
      lost()
      return true
    })
    const begun = Date.now()
    lost()
    await vi.advanceTimersByTimeAsync(60 * 60_000)
    expect(at.map((time, i) => time - (at[i - 1] ?? begun))).toEqual([
      10_000,
      20_000,
      ...Array.from({ length: 8 }, () => 30_000),
    ])
    expect(look).not.toHaveBeenCalled()
    channel.redial.mockReturnValue(false)
  })

  it('are not sent by a page that nobody sees', async () => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    lost()
    await vi.advanceTimersByTimeAsync(60 * 60_000)
    expect(look).not.toHaveBeenCalled()
  })

  it('end when the session was refused, and when the channel is given up', async () => {
    lost()
    connectionStore.setState({ channel: 'refused' })
    await longest()
    document.dispatchEvent(new Event('visibilitychange'))
    lost()
    stop()
    await longest()
    expect(look).not.toHaveBeenCalled()
    expect(channel.open).not.toHaveBeenCalled()
  })
})
