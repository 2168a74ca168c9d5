// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type DesktopProgram, type TitleBarVariant, windowBridge } from './window-bridge.ts'

const program = (platform: DesktopProgram['platform']) => {
  const said: string[] = []
  vi.stubGlobal('cloudocDesktop', {
    platform,
    message: (name: string, button: string) => said.push(`${name} ${button}`),
    act: (button: string) => said.push(button),
  })
  return said
}
const variants: readonly TitleBarVariant[] = ['main', 'im', 'progress', 'modal', 'default']
const all = (): string[] => variants.map((variant) => windowBridge().buttons(variant, true).join())

afterEach(() => vi.unstubAllGlobals())

describe('the buttons of a title bar', () => {
  // [R366] The title bar of each kind of window, none on macOS, only buttons that work in a browser. The pages of main, im
  // and progress draw their own, and pages without a header get one over their upper edge.
  it('in the desktop program are those of the variant [R366]', () => {
    program('windows')
    const full = 'minimize,maximize,close'
    expect(all()).toEqual([full, full, 'minimize,close', 'close', full])
    expect(windowBridge().buttons('default', false)).toEqual(['minimize', 'close'])
  })

  it('are none on macOS, which draws its own [R366]', () => {
    program('mac')
    expect(all()).toEqual(['', '', '', '', ''])
  })

  it('in a browser are only those that do something there [R366]', () => {
    expect(all()).toEqual(['', '', '', 'close', 'maximize,close'])
  })

  // [R367] Buttons act on their window, or message the main
  // process.
  it('tell the main process of main and im, and act on the window they are in else [R366] [R367]', () => {
    const said = program('linux')
    const { press } = windowBridge()
    press('main', 'maximize')
    press('im', 'close')
    press('default', 'minimize')
    expect(said).toEqual(['main maximize', 'im close', 'minimize'])
  })
})
