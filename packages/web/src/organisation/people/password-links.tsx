// Codes with which users set their passwords: to copy, or to print as slips to cut apart.

import type { Answer, calls } from '@cloudoc/contract'
import { codeText, fullTime } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { t, useLocale, useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { useSession } from '../../core/session/session.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Copy16Regular, Print16Regular } from '../../kit/icons.ts'
import { setPasswordPath } from '../../people/area.ts'
import '../shared/organisation.css'

export interface PasswordLinksProps {
  readonly list: Answer<typeof calls.createPasswordLinks>['list']
}
type Link = PasswordLinksProps['list'][number]

/** In groups of four, which are easier to read aloud and type. */
const written = (code: string): string => code.replace(/(.{4})(?=.)/g, '$1-')
const addressOf = ({ linkCode }: Link): string => `${location.origin}${setPasswordPath}?code=${written(linkCode)}`
const messageOf = (link: Link): string =>
  t('org.links.message', {
    name: link.name,
    account: link.account,
    address: addressOf(link),
    until: fullTime(link.expireTime),
  })

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)

/** Prints ten slips per page, in a separate frame. */
function print(links: readonly Link[], company: string): void {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0'
  const slips = links.map((link) => {
    const lines = [
      [t('org.field.account'), link.account],
      [t('org.links.address'), `${location.host}${setPasswordPath}`],
      [t('org.links.code'), written(link.linkCode)],
      [t('org.links.until'), fullTime(link.expireTime)],
    ].map(([label = '', value = '']) => `<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`)
    return `<section><h1>${escaped(link.name)} <small>${escaped(link.groupName)}</small></h1><dl>${lines.join('')}</dl></section>`
  })
  frame.srcdoc = `<!doctype html><meta charset="utf-8"><title>${escaped(company)}</title><style>
    @page{size:A4;margin:12mm}body{margin:0;font:13px/20px sans-serif;display:grid;grid-template-columns:1fr 1fr}
    section{break-inside:avoid;height:53mm;padding:6mm;border:1px dashed #999;box-sizing:border-box;overflow:hidden}
    h1{font-size:16px;margin:0 0 8px}small{font-weight:400;color:#555}dl{display:grid;grid-template-columns:auto 1fr;gap:2px 12px;margin:0}
    dt{color:#555}dd{margin:0;font-weight:600;overflow-wrap:anywhere}</style>${slips.join('')}`
  frame.onload = () => {
    const { contentWindow } = frame
    contentWindow?.addEventListener('afterprint', () => frame.remove())
    contentWindow?.print()
  }
  document.body.append(frame)
}

export function PasswordLinks({ list, close }: WindowProps<PasswordLinksProps>): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { serverSetting } = useSession()
  const made = list.filter(({ linkCode }) => linkCode !== '')
  return (
    <>
      <DialogBody reading={t('org.links.title')}>
        <p className="or-lead">{t('org.links.text')}</p>
        <ul className="or-lines is-whole">
          {list.map((link) => (
            <li key={link.userId}>
              <span title={link.name}>
                {link.name} <small>{link.account}</small>
              </span>
              {link.linkCode === '' ? (
                <small>{codeText(link.result, locale)}</small>
              ) : (
                <>
                  <code>{written(link.linkCode)}</code>
                  <IconButton
                    size="small"
                    label={t('org.links.copyOne', { name: link.name })}
                    icon={<Copy16Regular />}
                    onClick={() => void copyText(messageOf(link))}
                  />
                </>
              )}
            </li>
          ))}
        </ul>
        {made[0] !== undefined && (
          <p className="k-help">{t('org.links.once', { until: fullTime(made[0].expireTime) })}</p>
        )}
      </DialogBody>
      <DialogFooter>
        <Button
          icon={<Print16Regular />}
          disabled={made.length === 0}
          onClick={() => print(made, serverSetting.company_name)}
        >
          {t('org.links.print')}
        </Button>
        <Button
          icon={<Copy16Regular />}
          disabled={made.length === 0}
          onClick={() => void copyText(made.map(messageOf).join('\n\n'))}
        >
          {t('org.links.copy')}
        </Button>
        <Button kind="primary" autoFocus onClick={() => close()}>
          {t('org.links.close')}
        </Button>
      </DialogFooter>
    </>
  )
}
