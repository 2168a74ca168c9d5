// The link that was just made: its address, password and QR code, and the message to send.
import type { ExternalLink } from '@cloudoc/contract'
import { LinkStatus } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { openWindow } from '../../core/windows/index.ts'
import { isLoopback } from '../../items/item/public-address.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import {
  CheckmarkCircle32Regular,
  Copy16Regular,
  Mail16Regular,
  Open16Regular,
  QrCode20Regular,
} from '../../kit/icons.ts'
import { addressOf, copyLabel, copyShareMessage, linkRightsLabel, minute, shareMessage } from './link-queries.ts'
import { openLink } from './open-link.ts'
import { QrCode, saveQrCode } from './qr-code.tsx'

interface MadeLinkProps {
  readonly link: ExternalLink
  readonly close: (made: ExternalLink) => void
  readonly again: () => void
}

/** What the window shows once the link exists. */
export function MadeLink({ link, close, again }: MadeLinkProps): ReactNode {
  const t = useT()
  const url = addressOf(link.linkToken)
  const isWaiting = link.status === LinkStatus.underApproval
  return (
    <>
      <div className="sl-made">
        <header>
          <CheckmarkCircle32Regular />
          <div>
            <h3>{t(isWaiting ? 'links.made.waits' : 'links.made')}</h3>
            <p>
              {t(
                isWaiting ? 'links.made.waits.more' : link.password === '' ? 'links.made.more.open' : 'links.made.more',
              )}
            </p>
          </div>
        </header>
        <div className="sl-card">
          <div>
            <small>{t('links.link')}</small>
            <p className="sl-url">
              <b>{url}</b>
              <IconButton
                size="small"
                label={t('links.copy')}
                icon={<Copy16Regular />}
                onClick={() => void copyText(url)}
              />
              <IconButton size="small" label={t('links.open')} icon={<Open16Regular />} onClick={() => openLink(url)} />
            </p>
            {isLoopback(url) && <p role="note">{t('links.loopback')}</p>}
            <dl>
              <dt>{t('links.password')}</dt>
              <dd>{link.password === '' ? t('links.password.none') : link.password}</dd>
              <dt>{t('links.end')}</dt>
              <dd>{minute(link.endTime)}</dd>
              <dt>{t('links.may')}</dt>
              <dd>{linkRightsLabel(t, link.rights)}</dd>
            </dl>
          </div>
          <QrCode text={url} size={120} label={t('links.qr')} />
        </div>
        <h4>{t('links.sentence')}</h4>
        <textarea readOnly rows={4} aria-label={t('links.sentence')} value={shareMessage(t, link)} />
        <div className="sl-row">
          <Button kind="primary" icon={<Copy16Regular />} onClick={() => void copyShareMessage(link)}>
            {t(copyLabel(link))}
          </Button>
          {!isWaiting && (
            <Button icon={<Mail16Regular />} onClick={() => void openWindow('cloudoc-link-sendMail', { link })}>
              {t('links.mail')}
            </Button>
          )}
          <Button icon={<QrCode20Regular />} onClick={() => saveQrCode(url, link.fName)}>
            {t('links.qr.save')}
          </Button>
        </div>
        <p className="sl-hint">{t('links.made.hint')}</p>
      </div>
      <DialogFooter>
        <Button onClick={again}>{t('links.again')}</Button>
        <Button kind="primary" onClick={() => close(link)}>
          {t('links.finish')}
        </Button>
      </DialogFooter>
    </>
  )
}
