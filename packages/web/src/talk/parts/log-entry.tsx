// A message in lists of records: sender, time, and its content in short.
import type { TalkMessage } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { PersonAvatar } from '../../people/index.ts'
import { myId } from '../state/chats.ts'
import { MessageText } from './message-text.tsx'
import { FileMessage, LinkMessage, PictureMessage, RecordsMessage, ShareMessage } from './shared.tsx'
import { recallLine, systemLine } from './words.ts'

/** One record of a history. */
export function LogEntry({
  message,
  isMarked = false,
}: {
  readonly message: TalkMessage
  readonly isMarked?: boolean
}): ReactNode {
  const t = useT()
  const me = myId()
  const { data } = message
  if (data.type === 'notify') return <p className="im-line">{systemLine(t, message, me)}</p>
  if (message.recall) return <p className="im-line">{recallLine(t, message, me)}</p>
  return (
    <div className={isMarked ? 'im-log-entry is-marked' : 'im-log-entry'} data-number={message.number}>
      <PersonAvatar id={message.from} name={message.fromName} />
      <div>
        <header>
          <bdi>{message.fromName}</bdi>
          <time>{fullTime(message.timestamp)}</time>
          {message.editedAt !== null && <small>{t('im.edited')}</small>}
        </header>
        {message.withheld ? (
          t('im.withheld')
        ) : data.records !== undefined ? (
          <RecordsMessage message={message} />
        ) : data.type === 'img' ? (
          <PictureMessage message={message} />
        ) : data.type === 'file' ? (
          <FileMessage message={message} />
        ) : data.type === 'share' ? (
          <ShareMessage message={message} mine={false} />
        ) : data.type === 'link' ? (
          <LinkMessage message={message} />
        ) : (
          <MessageText text={message.value} mentions={message.mentions} me={me} />
        )}
      </div>
    </div>
  )
}
