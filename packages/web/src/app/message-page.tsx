// A message on a page of its own: /messagebox/alert ([R058]).
import { codeText } from '@cloudoc/domain'
import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { windowBridge } from '../core/bridge/window-bridge.ts'
import { useLocale } from '../core/i18n/i18n.ts'
import { messageBox } from '../core/windows/boxes.ts'
import type { BoxProps } from '../core/windows/message-box.tsx'
import { homePath } from './login-redirect.ts'

/** What the history state of the address carries: the message that another page of this product wants shown. */
export interface MessageState {
  readonly message: BoxProps
}

/**
 * Shows the message of the history state, or the text of the result code that the address names. Words are not taken from
 * the address, because a link from outside could then make this page say anything.
 */
export function MessagePage(): ReactNode {
  const location = useLocation()
  const { search } = location
  const state: unknown = location.state
  const locale = useLocale()
  const navigate = useNavigate()
  useEffect(() => {
    const code = new URLSearchParams(search).get('code')
    const { message } = (state as Partial<MessageState> | null) ?? {}
    const show = async (): Promise<void> => {
      if (message !== undefined) await messageBox(message)
      else if (code !== null) await messageBox({ icon: 'warning', text: codeText(Number(code), locale) })
      const bridge = windowBridge()
      if (bridge.ownsWindow) bridge.press('modal', 'close')
      else void navigate(homePath, { replace: true })
    }
    void show()
  }, [state, search, locale, navigate])
  return null
}
