// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectionStore } from './connection.ts'
import { type Channel, reopenOnEvents } from './push-client.ts'

const channel = {
  open: vi.fn<() => void>(),
  reopen: vi.fn<() => void>(),
  close: vi.fn<() => void>(),
} satisfies Channel
let stop: () => void

beforeEach(() => {
  vi.clearAllMocks()
  connectionStore.setState({ channel: 'online', reached: true })
  stop = reopenOnEvents(channel)
})
afterEach(() => stop())

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
})
