/*
 * The title bar of a window of the desktop program ([R366]). A page draws it where it has a header of its own; pages
 * without one, such as the login page, get a bar over their upper edge, so that every window can be moved and closed.
 */
import { type ReactNode, useLayoutEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { windowBridge } from '../bridge/window-bridge.ts'
import { TitleButtons } from './title-buttons.tsx'
import './own-bar.css'

/** How many headers of the page act as the title bar of its window. */
const bars = createStore<{ readonly count: number }>(() => ({ count: 0 }))

/** Says that the header that is drawn is the title bar of the window. */
export function useOwnBar(isBar: boolean): void {
  useLayoutEffect(() => {
    if (!isBar) return undefined
    const by = (n: number): void => bars.setState(({ count }) => ({ count: count + n }))
    by(1)
    return () => by(-1)
  }, [isBar])
}

/** The buttons of the window that the page fills; none in a browser, and none on macOS. */
export function OwnButtons(): ReactNode {
  const bridge = windowBridge()
  useOwnBar(bridge.ownsWindow)
  if (!bridge.ownsWindow) return null
  return (
    <TitleButtons
      buttons={bridge.buttons(bridge.variant, true)}
      onPress={(button) => bridge.press(bridge.variant, button)}
    />
  )
}

/** The bar of a window whose page has no header. */
export function BarOverPage(): ReactNode {
  const isDrawn = useStore(bars, ({ count }) => count > 0)
  const bridge = windowBridge()
  useLayoutEffect(() => {
    if (bridge.platform !== undefined) document.documentElement.dataset['desktop'] = bridge.platform
  }, [bridge.platform])
  if (isDrawn || !bridge.ownsWindow) return null
  return (
    <div className="own-bar">
      <TitleButtons
        buttons={bridge.buttons(bridge.variant, true)}
        onPress={(button) => bridge.press(bridge.variant, button)}
      />
    </div>
  )
}
