// What lies over a file of which nothing is to be taken along ([R166], X42): who looks and when, again and again; and while
// it is there nothing is copied, dragged away or printed.
import { type ReactNode, useEffect } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'

const marks = 60
const kept = ['copy', 'cut', 'dragstart', 'contextmenu'] as const

export function Veil(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { accountName, account } = useSession().account
  useEffect(() => {
    const stop = (event: Event): void => {
      event.preventDefault()
      event.stopPropagation()
      if (event.type === 'copy' || event.type === 'cut') toast({ kind: 'info', text: t('drive.preview.secureWhy') })
    }
    for (const event of kept) document.addEventListener(event, stop, { capture: true })
    return () => {
      for (const event of kept) document.removeEventListener(event, stop, { capture: true })
    }
  }, [t])
  const words = `${accountName} ${account} ${new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' }).format()}`
  return (
    <div className="pv-veil" aria-hidden="true">
      {Array.from({ length: marks }, (_, n) => (
        <span key={n}>{words}</span>
      ))}
    </div>
  )
}
