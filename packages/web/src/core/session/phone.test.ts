import { describe, expect, test } from 'vitest'
import { isMobile, mobileWidth } from './phone.ts'

const desktop = { userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0', touch: false, width: 1366 }

describe('which page a device gets', () => {
  // [R375] Phones and tablets get the mobile pages; of other devices those with a touch screen narrower than 970 pixels.
  // [R390] A touch screen of less than 970 pixels gets the mobile pages.
  test.each([
    [
      'an Android phone',
      { userAgent: 'Mozilla/5.0 (Linux; Android 16) Mobile Safari/537.36', touch: true, width: 412 },
      true,
    ],
    [
      'an iPhone',
      { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X)', touch: true, width: 390 },
      true,
    ],
    [
      'an iPad that poses as a Mac',
      { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X)', touch: true, width: 1180 },
      true,
    ],
    ['a Mac', { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X)', touch: false, width: 1440 }, false],
    ['a phone with HarmonyOS', { userAgent: 'Mozilla/5.0 (Phone; OpenHarmony 6.0)', touch: true, width: 400 }, true],
    ['a laptop', desktop, false],
    ['a narrow window of a laptop', { ...desktop, width: 500 }, false],
    ['a laptop with a touch screen', { ...desktop, touch: true }, false],
    ['a touch screen of 969 pixels', { ...desktop, touch: true, width: mobileWidth - 1 }, true],
    ['a touch screen of 970 pixels', { ...desktop, touch: true, width: mobileWidth }, false],
  ])('[R375] [R390] %s', (_name, device, expected) => {
    expect(isMobile(device)).toBe(expected)
  })
})
