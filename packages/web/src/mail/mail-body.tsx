/*
 * The text of a mail. Its HTML is a page of its own in a frame without scripts, forms, navigation or an origin; the
 * server sends it with a policy that loads nothing but the pictures inside the mail, until the reader asks for others.
 */
import type { MailDetail } from '@cloudoc/contract'
import type { MailCharset } from '@cloudoc/domain'
import DOMPurify from 'dompurify'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { streamUrl } from '../core/call/api.ts'
import { useT } from '../core/i18n/i18n.ts'

/** Whether the mail names pictures elsewhere. */
export const hasRemote = (html: string): boolean =>
  /(src|background)\s*=\s*["']?\s*https?:|url\(\s*["']?\s*https?:/i.test(html)

interface MailBodyProps {
  readonly mail: MailDetail
  readonly showsPictures: boolean
  readonly charset: MailCharset | undefined
}

export function MailBody({ mail, showsPictures, charset }: MailBodyProps): ReactNode {
  const t = useT()
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(240)
  // The frame has no origin, so that its height cannot be read. It is estimated from its words.
  useEffect(() => {
    const width = frame.current?.clientWidth ?? 600
    const measure = document.createElement('div')
    measure.className = 'em-measure'
    measure.style.width = `${width}px`
    measure.append(
      DOMPurify.sanitize(mail.html, {
        RETURN_DOM_FRAGMENT: true,
        FORBID_TAGS: ['style', 'img', 'picture', 'source', 'video', 'audio', 'input', 'form'],
        FORBID_ATTR: ['style', 'background', 'src', 'srcset', 'id', 'class'],
      }),
    )
    document.body.append(measure)
    const pictures = mail.html.match(/<img\b/gi)?.length ?? 0
    setHeight(Math.max(120, measure.scrollHeight * 1.25 + 64 + Math.min(pictures, 10) * 120))
    measure.remove()
  }, [mail.html])
  if (mail.html === '') return <pre className="em-text">{mail.text}</pre>
  return (
    <iframe
      ref={frame}
      className="em-frame"
      title={t('email.body')}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      src={streamUrl('getMailBody', {
        ...{ mailId: mail.mailId, key: mail.bodyKey, pictures: showsPictures },
        ...(charset !== undefined && { charset }),
      })}
      style={{ height }}
    />
  )
}
