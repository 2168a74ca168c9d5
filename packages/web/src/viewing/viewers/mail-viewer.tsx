// The mail viewer: the mail without its remote content.
import type { Mail } from '@cloudoc/contract'
import { extNameOf, formatSize } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { ShieldCheckmark20Regular } from '../../kit/icons.ts'
import { Blocks } from '../rendition/blocks.tsx'
import type { OpenRendition } from '../rendition/rendition.ts'

/** Renders a mail. */
export function MailViewer({ mail, rendition }: { readonly mail: Mail; readonly rendition: OpenRendition }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { subject, from, to, cc, date, blocked, blocks, attachments } = mail
  return (
    <div className="pv-scroll pv-text-scroll" tabIndex={0}>
      <article className="pv-paper rd-mail">
        <h1>{subject || t('drive.preview.noSubject')}</h1>
        <p className="rd-mail-head">
          <b>{from}</b>
          {date > 0 && (
            <time>{new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(date)}</time>
          )}
        </p>
        <p className="rd-mail-to">
          {t('drive.preview.mailTo')} {to} {cc !== '' && `${t('drive.preview.mailCc')} ${cc}`}
        </p>
        {blocked > 0 && (
          <p className="rd-mail-blocked">
            <ShieldCheckmark20Regular /> {t('drive.preview.mailBlocked', { n: blocked })}
          </p>
        )}
        <div className="rd">
          <Blocks blocks={blocks} rendition={rendition} />
        </div>
        {attachments.length > 0 && (
          <footer>
            <b>{t('drive.preview.attachments', { n: attachments.length })}</b>
            <ul>
              {attachments.map(({ name, size }, n) => (
                <li key={n}>
                  <FileIcon ext={extNameOf(name)} /> <span>{name}</span> <small>{formatSize(size)}</small>
                </li>
              ))}
            </ul>
          </footer>
        )}
      </article>
    </div>
  )
}
