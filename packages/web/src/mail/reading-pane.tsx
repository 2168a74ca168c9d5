// The mail that is read: its acts, who wrote it, its text and attachments.
import type { ListedMail, MailDetail, MailPerson } from '@cloudoc/contract'
import { documentKind, extNameOf, formatSize, type MailCharset, mailCharsets, minuteTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { api, streamUrl } from '../core/call/api.ts'
import { useT } from '../core/i18n/i18n.ts'
import { showMenu } from '../core/menu/menu.ts'
import { openWindow } from '../core/windows/index.ts'
import { FileIcon } from '../items/item/file-icon.tsx'
import { Button, IconButton } from '../kit/button.tsx'
import {
  Archive20Regular,
  ArrowDownload20Regular,
  ArrowForward20Regular,
  ArrowLeft20Regular,
  ArrowReply20Regular,
  ArrowReplyAll20Regular,
  CloudArrowUp20Regular,
  Delete20Regular,
  Eye20Regular,
  Image20Regular,
  MoreHorizontal20Regular,
  Star20Filled,
  Star20Regular,
  Warning20Filled,
} from '../kit/icons.ts'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { answer, forward } from './compose-queries.ts'
import { deleteForGood, moveMails } from './mail-acts.ts'
import { hasRemote, MailBody } from './mail-body.tsx'
import { foldersQuery, mailQuery, saveAttachment, saveToDrive, tryMail } from './mail-queries.ts'
import { Meetings } from './meetings.tsx'

interface ReadingPaneProps {
  readonly mailId: number
  readonly mails: readonly ListedMail[]
  readonly open: (mailId: number) => void
}

export function ReadingPane({ mailId, mails, open }: ReadingPaneProps): ReactNode {
  const t = useT()
  const [chosen, choose] = useState<{ readonly mailId: number; readonly charset: MailCharset | undefined }>()
  const charset = chosen?.mailId === mailId ? chosen.charset : undefined
  const { data: mail, error } = useQuery({ ...mailQuery(mailId, charset), enabled: mailId !== 0 })
  const isUnread = mail?.isRead === false
  useEffect(() => {
    if (isUnread) void tryMail(() => api.markMails({ mailIdArray: [mailId], isRead: true }))
  }, [mailId, isUnread])
  /** After a mail has left the list, the next one is read. */
  const next = (): void => {
    const at = mails.findIndex((one) => one.mailId === mailId)
    open((mails[at + 1] ?? mails[at - 1])?.mailId ?? 0)
  }
  return (
    <section className="em-reading" aria-label={t('email.body')}>
      {mailId === 0 ? (
        <StatePage title={t('email.pick')} />
      ) : error !== null ? (
        <StatePage title={error.message} />
      ) : mail === undefined ? (
        <Spinner />
      ) : (
        <Mail
          key={mail.mailId}
          mail={mail}
          charset={charset}
          next={next}
          close={() => open(0)}
          openOther={open}
          choose={(wanted) => choose({ mailId, charset: wanted })}
        />
      )}
    </section>
  )
}

interface MailProps {
  readonly mail: MailDetail
  readonly next: () => void
  readonly close: () => void
  readonly openOther: (mailId: number) => void
  /** The character set in which the person has it read; undefined: the detected one. */
  readonly charset: MailCharset | undefined
  readonly choose: (charset: MailCharset | undefined) => void
}

function Mail({ mail, next, close, openOther, charset, choose }: MailProps): ReactNode {
  const t = useT()
  const { mailId, isStarred, mailTitle, senderAddress, attachments, problem, thread, isTrusted } = mail
  const [asked, setAsked] = useState(false)
  const folders = useQuery(foldersQuery(mail.boxId)).data?.list ?? []
  const isInTrash = folders.find(({ mailFolderId }) => mailFolderId === mail.mailFolderId)?.role === 'trash'
  const showsPictures = asked || isTrusted
  const remove = async (): Promise<void> => {
    if (isInTrash) return void ((await deleteForGood([mail])) && next())
    next()
    await moveMails([mail], 'trash')
  }
  const more = (at: HTMLElement): void => {
    const { left, bottom } = at.getBoundingClientRect()
    const mark = (change: { isRead?: boolean }) =>
      void tryMail(() => api.markMails({ mailIdArray: [mailId], ...change }))
    void showMenu(
      [
        { id: 'unread', label: t('email.markUnread'), run: () => (close(), mark({ isRead: false })) },
        {
          id: 'move',
          label: t('email.move'),
          children: folders
            .filter(({ mailFolderId }) => mailFolderId !== mail.mailFolderId)
            .map(({ mailFolderId, name, role }) => ({
              id: String(mailFolderId),
              label: role === 'other' ? name : t(`email.role.${role}`),
              run: () => {
                next()
                void tryMail(() => api.moveMails({ mailIdArray: [mailId], mailFolderId }))
              },
            })),
        },
        {
          id: 'charset',
          label: t('email.charset'),
          children: [undefined, ...mailCharsets].map((one) => ({
            id: one ?? 'auto',
            label: t(`email.charset.${one ?? 'auto'}`),
            checked: one === charset,
            run: () => choose(one),
          })),
        },
        { separator: true },
        { id: 'drive', label: t('email.saveMail'), run: () => void saveToDrive(mailId, undefined) },
        {
          id: 'source',
          label: t('email.source'),
          run: () => void saveAttachment(mailId, undefined, `${mailTitle || 'mail'}.eml`),
        },
      ],
      { x: left, y: bottom },
    )
  }
  return (
    <article className="em-mail">
      <div className="em-acts" role="toolbar" aria-label={t('email.more.actions')}>
        <IconButton className="em-back" label={t('email.role.inbox')} icon={<ArrowLeft20Regular />} onClick={close} />
        <Button kind="ghost" icon={<ArrowReply20Regular />} onClick={() => void answer(mail, false)}>
          {t('email.reply')}
        </Button>
        <Button kind="ghost" icon={<ArrowReplyAll20Regular />} onClick={() => void answer(mail, true)}>
          {t('email.replyAll')}
        </Button>
        <Button kind="ghost" icon={<ArrowForward20Regular />} onClick={() => void forward(mail)}>
          {t('email.forward')}
        </Button>
        <IconButton
          label={t('email.archive')}
          icon={<Archive20Regular />}
          onClick={() => {
            next()
            void moveMails([mail], 'archive')
          }}
        />
        <IconButton
          label={t(isInTrash ? 'email.deleteForGood' : 'email.delete')}
          icon={<Delete20Regular />}
          onClick={() => void remove()}
        />
        <IconButton
          label={t(isStarred ? 'email.unstar' : 'email.star')}
          icon={isStarred ? <Star20Filled className="em-star" /> : <Star20Regular />}
          pressed={isStarred}
          onClick={() => void tryMail(() => api.markMails({ mailIdArray: [mailId], isStarred: !isStarred }))}
        />
        <IconButton
          label={t('email.more.actions')}
          icon={<MoreHorizontal20Regular />}
          onClick={({ currentTarget }) => more(currentTarget)}
        />
      </div>
      <div className="em-scroll">
        <h1>{mailTitle || t('email.noSubject')}</h1>
        <header className="em-head">
          <div>
            <b>{mail.senderName || senderAddress}</b> <span className="em-address">{senderAddress}</span>
            {mail.isOutside && <i className="em-outside">{t('email.outside')}</i>}
          </div>
          <time>{minuteTime(mail.mailTime)}</time>
          <People label={t('email.to')} people={mail.to} />
          <People label={t('email.cc')} people={mail.cc} />
          <People label={t('email.bcc')} people={mail.bcc} />
        </header>
        {mail.isSuspicious && (
          <p className="em-alarm" role="alert">
            <Warning20Filled /> {t('email.suspicious')}
          </p>
        )}
        {problem !== '' && <p className="em-note">{problem}</p>}
        {!showsPictures && hasRemote(mail.html) && (
          <p className="em-note">
            <Image20Regular /> <span>{t('email.pictures')}</span>
            <Button kind="link" onClick={() => setAsked(true)}>
              {t('email.pictures.show')}
            </Button>
            <Button kind="link" onClick={() => void tryMail(() => api.trustSender({ address: senderAddress }))}>
              {t('email.pictures.trust')}
            </Button>
          </p>
        )}
        <Meetings meetings={mail.meetings} />
        <MailBody mail={mail} showsPictures={showsPictures} charset={charset} />
        <Attachments mail={{ mailId, attachments }} />
        {thread.length > 0 && (
          <section className="em-thread">
            <h2>{t('email.thread')}</h2>
            <ul>
              {thread.map((one) => (
                <li key={one.mailId}>
                  <button type="button" onClick={() => openOther(one.mailId)}>
                    <b>{one.senderName || one.senderAddress}</b> <span>{one.summary}</span>
                    <time>{minuteTime(one.mailTime)}</time>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </article>
  )
}

const mostNamed = 20

function People({ label, people }: { readonly label: string; readonly people: readonly MailPerson[] }): ReactNode {
  if (people.length === 0) return null
  const named = people.slice(0, mostNamed).map(({ name, address }) => (name === '' ? address : `${name} <${address}>`))
  return (
    <p className="em-people">
      <span>{label}</span> {named.join('、')}
      {people.length > mostNamed && ` +${people.length - mostNamed}`}
    </p>
  )
}

function Attachments({ mail }: { readonly mail: Pick<MailDetail, 'mailId' | 'attachments'> }): ReactNode {
  const t = useT()
  const shown = mail.attachments.filter(({ contentId }) => contentId === '')
  if (shown.length === 0) return null
  return (
    <section className="em-attachments">
      <h2>{t('email.attachments', { n: shown.length })}</h2>
      <ul>
        {shown.map(({ number, name, size }) => (
          <li key={number}>
            <FileIcon ext={extNameOf(name)} />
            <span title={name}>
              <b>{name}</b>
              <small>{formatSize(size, 1)}</small>
            </span>
            {documentKind(extNameOf(name)) !== undefined && (
              <IconButton
                label={t('email.attachment.preview')}
                icon={<Eye20Regular />}
                onClick={() =>
                  void openWindow('email-attachment', {
                    ...{ fName: name, fileSize: size },
                    url: streamUrl('getMailAttachmentPreview', { mailId: mail.mailId, number }),
                  })
                }
              />
            )}
            <IconButton
              label={t('email.attachment.save')}
              icon={<ArrowDownload20Regular />}
              onClick={() => void saveAttachment(mail.mailId, number, name)}
            />
            <IconButton
              label={t('email.attachment.drive')}
              icon={<CloudArrowUp20Regular />}
              onClick={() => void saveToDrive(mail.mailId, number)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
