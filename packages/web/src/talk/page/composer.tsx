/*
 * The field in which a message is written. It is built for one conversation and never asks which one is shown: what is
 * typed, dropped or picked here goes to that conversation.
 */
import type { TalkChat, TalkMessage } from '@cloudoc/contract'
import { isMessageLength, limits } from '@cloudoc/domain'
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { canCaptureScreen, captureScreen } from '../../core/bridge/desktop.ts'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import {
  Attach20Regular,
  Cloud20Regular,
  Dismiss12Regular,
  Emoji20Regular,
  EyeOff20Regular,
  Image20Regular,
  Mention20Regular,
  Screenshot20Regular,
  Send20Regular,
} from '../../kit/icons.ts'
import { isCommitEnter, isComposing } from '../../kit/keys.ts'
import { textFileName } from '../parts/message.tsx'
import { lineOf } from '../parts/words.ts'
import { showMessage } from '../state/conversation.ts'
import { type ComposerDraft, draftOf, keepDraft } from '../state/drafts.ts'
import { sendMessage } from '../state/outbox.ts'
import type { TalkPerson } from '../state/people.ts'
import { measured } from '../state/pictures.ts'
import { hidesForScreenshots, setHidesForScreenshots } from '../state/screenshots.ts'
import { mentionBefore, pastedFrom } from './typing.ts'

const emojis = '😀 😄 😂 😊 😍 😘 🤔 😅 😭 😡 👍 👎 👌 🙏 👏 💪 🎉 ❤️ 🔥 ✅ ❌ ⏰ 📎 📌 🚀 ☕ 🌹 🍻'.split(' ')
const counterFrom = 1800
const openTickMs = 30_000
const typingEveryMs = 3000
/** In groups of this size and more a mention of everybody is asked about. */
const askAllFrom = 10

export interface ComposerHandle {
  quote: (message: TalkMessage) => void
  edit: (message: TalkMessage) => void
  mention: (person: TalkPerson) => void
  files: (files: readonly File[]) => void
  focus: () => void
}

interface ComposerProps {
  readonly chat: TalkChat
  readonly handle: (handle: ComposerHandle | undefined) => void
  readonly quotedOf: (number: number) => TalkMessage | null | undefined
}

/** Writes messages to one conversation. */
export function Composer({ chat, handle, quotedOf }: ComposerProps): ReactNode {
  const t = useT()
  // Fixed when the field is built; the page builds another one for another conversation.
  const [conversationId] = useState(chat.conversationId)
  const field = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState<ComposerDraft>(
    () => draftOf(conversationId) ?? { text: chat.draft, quote: 0, mentions: [] },
  )
  const [editing, setEditing] = useState<TalkMessage>()
  const [picture, setPicture] = useState<File>()
  const [hides, setHides] = useState(hidesForScreenshots)
  const [hasEmojis, setEmojis] = useState(false)
  const [people, setPeople] = useState<readonly TalkPerson[]>([])
  const [at, setAt] = useState(0)
  const [asked, setAsked] = useState<{ from: number; word: string }>()
  const typedAt = useRef(0)

  const change = (next: ComposerDraft): void => {
    setDraft(next)
    if (editing === undefined) keepDraft(conversationId, next)
  }

  // Tells the others who types, and that the conversation is open here.
  useEffect(() => {
    const tell = (open: boolean, typing: boolean): void =>
      void api.imTyping({ conversationId, open, typing }).catch(() => undefined)
    if (!chat.isMember) return undefined
    tell(true, false)
    const timer = setInterval(() => tell(true, false), openTickMs)
    return () => {
      clearInterval(timer)
      tell(false, false)
    }
  }, [conversationId, chat.isMember])

  // Whoever opens a conversation wants to write. On a phone the keyboard would cover the messages.
  useEffect(() => {
    if (globalThis.matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [])

  useEffect(() => {
    const input = field.current
    if (input === null) return
    input.style.height = 'auto'
    input.style.height = `${Math.min(160, input.scrollHeight)}px`
  }, [draft.text])

  const mayMentionAll = !chat.leadersMentionAll || chat.role !== 'member'
  // Members whose name matches the word after the @.
  useEffect(() => {
    if (asked === undefined || chat.push !== 'GROUP') return setPeople([])
    let isCurrent = true
    void api
      .imGroupMembers({ conversationId, keyword: asked.word, rows: 8 }, { quiet: true })
      .then(({ list }) => {
        if (!isCurrent) return
        const all = asked.word === '' && mayMentionAll ? [{ userId: 0, name: t('im.mentionAll') }] : []
        setPeople([...all, ...list.map(({ userId, name }) => ({ userId, name }))])
        setAt(0)
      })
      .catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [asked, chat.push, conversationId, mayMentionAll, t])

  const insert = (text: string): void => {
    const input = field.current
    const place = input?.selectionStart ?? draft.text.length
    const end = input?.selectionEnd ?? place
    change({ ...draft, text: draft.text.slice(0, place) + text + draft.text.slice(end) })
    requestAnimationFrame(() => {
      input?.focus()
      input?.setSelectionRange(place + text.length, place + text.length)
    })
  }

  const mention = (person: TalkPerson, from?: number): void => {
    const input = field.current
    const place = input?.selectionStart ?? draft.text.length
    const start = from ?? place
    const text = `${draft.text.slice(0, start)}@${person.name} ${draft.text.slice(place)}`
    change({ ...draft, text, mentions: [...draft.mentions.filter(({ userId }) => userId !== person.userId), person] })
    setAsked(undefined)
    requestAnimationFrame(() => {
      const end = start + person.name.length + 2
      input?.focus()
      input?.setSelectionRange(end, end)
    })
  }

  /** Pictures lose their metadata, except where they are sent as files. */
  const sendFiles = async (files: readonly File[], asFiles = false): Promise<void> => {
    for (const content of files) {
      if (content.size > limits.largestTalkFile) {
        toast({ text: t('im.tooLarge'), kind: 'error', key: 'im-too-large' })
        continue
      }
      const isPicture = !asFiles && content.size <= limits.largestTalkPicture
      const size = isPicture ? await measured(content) : undefined
      sendMessage(conversationId, { type: size === undefined ? 'file' : 'img', value: '' }, { content, ...size })
    }
  }

  useEffect(() => {
    handle({
      quote: (message) => {
        change({ ...draft, quote: message.number })
        field.current?.focus()
      },
      edit: (message) => {
        if (!message.recall) setEditing(message)
        setDraft({ text: message.value, quote: 0, mentions: message.mentions })
        field.current?.focus()
      },
      mention: (person) => mention(person),
      files: (files) => void sendFiles(files),
      focus: () => field.current?.focus(),
    })
    return () => handle(undefined)
  })

  const { text } = draft
  const tooLong = text.length > limits.longestMessage
  const canSend = isMessageLength(text)

  const submit = async (): Promise<void> => {
    if (!canSend) return
    const mentions = draft.mentions.filter(({ name }) => text.includes(`@${name}`))
    if (mentions.some(({ userId }) => userId === 0) && chat.members >= askAllFrom) {
      if (
        !(await confirmBox({
          title: t('im.mentionAll'),
          text: t('im.mentionAllAsk', { n: chat.members - 1 }),
          ok: t('im.sendNow'),
        }))
      )
        return
    }
    if (editing !== undefined) {
      showMessage(await api.imEdit({ conversationId, number: editing.number, value: text, mentions: [...mentions] }))
      setEditing(undefined)
      setDraft(draftOf(conversationId) ?? { text: '', quote: 0, mentions: [] })
      return
    }
    sendMessage(conversationId, { type: 'text', value: text, quote: draft.quote, mentions: [...mentions] })
    change({ text: '', quote: 0, mentions: [] })
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes, keys are its own: nothing is sent, chosen or closed.
    if (isComposing(event)) return
    if (asked !== undefined && people.length > 0) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step !== undefined) {
        event.preventDefault()
        return setAt((at + step + people.length) % people.length)
      }
      const person = people[at]
      if ((isCommitEnter(event) || event.key === 'Tab') && person !== undefined) {
        event.preventDefault()
        return mention(person, asked.from)
      }
      if (event.key === 'Escape') {
        event.preventDefault()
        event.stopPropagation()
        return setAsked(undefined)
      }
    }
    if (isCommitEnter(event) && !event.shiftKey && !event.ctrlKey && !event.altKey) {
      event.preventDefault()
      void submit()
    } else if (event.key === 'Escape' && editing !== undefined) {
      setEditing(undefined)
      setDraft(draftOf(conversationId) ?? { text: '', quote: 0, mentions: [] })
    }
  }

  const onPaste = (event: ClipboardEvent): void => {
    const { files, picture: offered } = pastedFrom(event.clipboardData)
    if (files.length === 0) return setPicture(offered)
    event.preventDefault()
    void sendFiles(files)
  }

  const takeScreenshot = async (): Promise<void> => {
    const bytes = await captureScreen(hides).catch(() => undefined)
    if (bytes === undefined) return toast({ text: t('im.screenshotFailed'), kind: 'error' })
    setPicture(new File([new Uint8Array(bytes)], `${t('im.screenshot')}.png`, { type: 'image/png' }))
  }

  const pickFiles = (accept: '' | 'image/*'): void => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    input.accept = accept
    input.onchange = () => void sendFiles([...(input.files ?? [])], accept === '')
    input.click()
  }

  const pickCards = async (): Promise<void> => {
    const items = await openWindow('drive-item-pick', { title: t('im.card'), hint: '', what: 'both', multiple: true })
    for (const { fType, fId } of items ?? []) sendMessage(conversationId, { type: 'share', value: '', fType, fId })
  }

  const sendAsFile = (): void => {
    void sendFiles([new File([text], textFileName(text), { type: 'text/plain' })])
    change({ text: '', quote: 0, mentions: [] })
  }

  const quoted = draft.quote === 0 ? undefined : quotedOf(draft.quote)
  return (
    <div className="im-composer">
      <div className="im-tools">
        <IconButton
          label={t('im.emoji')}
          icon={<Emoji20Regular />}
          pressed={hasEmojis}
          onClick={() => setEmojis(!hasEmojis)}
        />
        <IconButton label={t('im.file')} icon={<Attach20Regular />} onClick={() => pickFiles('')} />
        <IconButton label={t('im.picture')} icon={<Image20Regular />} onClick={() => pickFiles('image/*')} />
        <IconButton label={t('im.card')} icon={<Cloud20Regular />} onClick={() => void pickCards()} />
        {canCaptureScreen() && (
          <>
            <IconButton
              label={t('im.screenshot')}
              icon={<Screenshot20Regular />}
              onClick={() => void takeScreenshot()}
            />
            <IconButton
              label={t('im.screenshotHides')}
              icon={<EyeOff20Regular />}
              pressed={hides}
              onClick={() => {
                setHidesForScreenshots(!hides)
                setHides(!hides)
              }}
            />
          </>
        )}
        {chat.push === 'GROUP' && (
          <IconButton
            label={t('im.mention')}
            icon={<Mention20Regular />}
            onClick={() => {
              insert('@')
              setAsked({ from: field.current?.selectionStart ?? text.length, word: '' })
            }}
          />
        )}
        <span className="im-hint">{t('im.enterSends')}</span>
      </div>
      {hasEmojis && (
        <div className="im-emojis">
          {emojis.map((emoji) => (
            <button
              key={emoji}
              type="button"
              onClick={() => {
                insert(emoji)
                setEmojis(false)
              }}
            >
              {emoji}
            </button>
          ))}
        </div>
      )}
      {(quoted || editing !== undefined) && (
        <div className="im-quoting">
          <bdi>{editing === undefined ? quoted && `${quoted.fromName}：${lineOf(t, quoted)}` : t('im.edit')}</bdi>
          <IconButton
            size="small"
            label={t('im.cancel')}
            icon={<Dismiss12Regular />}
            onClick={() => {
              if (editing === undefined) return change({ ...draft, quote: 0 })
              setEditing(undefined)
              setDraft(draftOf(conversationId) ?? { text: '', quote: 0, mentions: [] })
            }}
          />
        </div>
      )}
      <div className="im-field">
        {asked !== undefined && people.length > 0 && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the list of a combobox
          <ul className="im-mentions" role="listbox" aria-label={t('im.mention')}>
            {people.map((person, n) => (
              <li key={person.userId}>
                <button
                  type="button"
                  role="option"
                  aria-selected={n === at}
                  onMouseDown={(event) => {
                    event.preventDefault()
                    mention(person, asked.from)
                  }}
                >
                  {person.name}
                </button>
              </li>
            ))}
          </ul>
        )}
        <textarea
          ref={field}
          rows={2}
          aria-label={t('im.input')}
          placeholder={t('im.input')}
          value={text}
          onChange={(event) => {
            const { value, selectionStart } = event.target
            change({ ...draft, text: value })
            setPicture(undefined)
            setAsked(chat.push === 'GROUP' ? mentionBefore(value.slice(0, selectionStart)) : undefined)
            if (value !== '' && Date.now() - typedAt.current > typingEveryMs) {
              typedAt.current = Date.now()
              void api.imTyping({ conversationId, open: true, typing: true }).catch(() => undefined)
            }
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
      </div>
      <div className="im-send">
        {picture !== undefined && (
          <Button
            size="small"
            onClick={() => {
              void sendFiles([picture])
              setPicture(undefined)
            }}
          >
            {t('im.asPicture')}
          </Button>
        )}
        {tooLong && (
          <>
            <span className="im-problem" role="alert">
              {t('im.tooLong', { most: limits.longestMessage, n: text.length })}
            </span>
            <Button size="small" onClick={sendAsFile}>
              {t('im.asFile')}
            </Button>
          </>
        )}
        {!tooLong && text.length >= counterFrom && (
          <span className="im-count">{t('im.count', { n: text.length, most: limits.longestMessage })}</span>
        )}
        <Button kind="primary" icon={<Send20Regular />} disabled={!canSend} onClick={() => void submit()}>
          {editing === undefined ? t('im.sendNow') : t('im.save')}
        </Button>
      </div>
    </div>
  )
}
