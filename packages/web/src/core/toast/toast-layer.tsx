import { limits } from '@cloudoc/domain'
import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import {
  CheckmarkCircle16Regular,
  Dismiss16Regular,
  ErrorCircle16Regular,
  Info16Regular,
  Warning16Regular,
} from '../../kit/icons.ts'
import { useT } from '../i18n/i18n.ts'
import { dismissToast, type Toast, toastStore } from './toast.ts'
import './toast.css'

/** How long a toast with an action is shown, in milliseconds. */
const offerMs = 8000

const icons = {
  info: <Info16Regular />,
  success: <CheckmarkCircle16Regular />,
  warning: <Warning16Regular />,
  error: <ErrorCircle16Regular />,
} as const

/** The toasts, at the bottom of the page. */
export function ToastLayer(): ReactNode {
  const t = useT()
  const toasts = useStore(toastStore, (state) => state.toasts)
  return (
    <section className="toasts" aria-label={t('toast.region')} aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

/** A toast. It stays while the pointer or the focus is on it. */
function ToastCard({ toast }: { readonly toast: Toast }): ReactNode {
  const { id, text, kind = 'info', action, also } = toast
  const t = useT()
  const [held, setHeld] = useState(false)
  const stay = toast.durationMs ?? (action === undefined ? limits.noticeDismissMs : offerMs)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismissToast(toast.id), stay)
    return () => clearTimeout(timer)
    // A toast that replaces this one has its own duration.
  }, [held, toast, stay])
  return (
    <div
      className={`toast is-${kind}`}
      role={kind === 'error' ? 'alert' : undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="toast-icon">{icons[kind]}</span>
      <span className="toast-text">{text}</span>
      {[also, action].map(
        (one, n) =>
          one !== undefined && (
            <button
              key={n}
              type="button"
              className="toast-action"
              onClick={() => {
                dismissToast(id)
                one.run()
              }}
            >
              {one.text}
            </button>
          ),
      )}
      <button type="button" className="toast-close" aria-label={t('box.close')} onClick={() => dismissToast(id)}>
        <Dismiss16Regular />
      </button>
    </div>
  )
}
