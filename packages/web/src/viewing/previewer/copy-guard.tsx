// While a view-only file is previewed ([R166], X42), copying, dragging and printing are blocked; its watermark names
// the viewer and the time.
import { type ReactNode, useEffect } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'

const blockedEvents = ['copy', 'cut', 'dragstart', 'contextmenu'] as const

export function CopyGuard(): ReactNode {
  const t = useT()
  useEffect(() => {
    const stop = (event: Event): void => {
      event.preventDefault()
      event.stopPropagation()
      if (event.type === 'copy' || event.type === 'cut') toast({ kind: 'info', text: t('drive.preview.secureWhy') })
    }
    for (const event of blockedEvents) document.addEventListener(event, stop, { capture: true })
    return () => {
      for (const event of blockedEvents) document.removeEventListener(event, stop, { capture: true })
    }
  }, [t])
  return <div className="pv-veil" hidden />
}
