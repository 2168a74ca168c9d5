/*
 * The field in which a message is written. It is built for one conversation and never asks which one is shown: what is
 * typed, dropped or picked here goes to that conversation.
 */
import type { TalkChat, TalkMessage } from '@cloudoc/contract'
import { isMessageLength } from '@cloudoc/domain'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { api } from '../../core/call/api.ts'
import { t as said, useT } from '../../core/i18n/i18n.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { IconButton } from '../../kit/button.tsx'
import { Dismiss12Regular } from '../../kit/icons.ts'
import { isCommitEnter, isComposing } from '../../kit/keys.ts'
import { textFileName } from '../parts/message.tsx'
import { lineOf } from '../parts/words.ts'
import { showMessage } from '../state/conversation.ts'
import { type ComposerDraft, draftOf, keepDraft } from '../state/drafts.ts'
import { sendMessage } from '../state/outbox.ts'
import type { TalkPerson } from '../state/people.ts'
import { ComposerTools, SendRow } from './composer-tools.tsx'
import { MentionList, useMentions } from './mentions.tsx'
import { sendCards, sendFiles } from './send-files.ts'
import { mentionBefore, pastedFrom } from './typing.ts'
import { useTypingNotice } from './typing-notice.ts'

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

/** Asks before a mention of everybody in a large group. */
async function confirmAll(chat: TalkChat): Promise<boolean> {
  if (chat.members < askAllFrom) return true
  return confirmBox({
    title: said('im.mentionAll'),
    text: said('im.mentionAllAsk', { n: chat.members - 1 }),
    ok: said('im.sendNow'),
  })
}

/** Who opens a conversation wants to write. The field is as high as its text. */
function useFieldHeight(fieldRef: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // On a phone the keyboard would cover the messages.
  useEffect(() => {
    if (globalThis.matchMedia('(pointer: fine)').matches) fieldRef.current?.focus({ preventScroll: true })
  }, [fieldRef])

  useEffect(() => {
    const input = fieldRef.current
    if (input === null) return
    input.style.height = 'auto'
    input.style.height = `${Math.min(160, input.scrollHeight)}px`
  }, [fieldRef, text])
}

interface QuotingProps {
  readonly text: string | null | undefined
  readonly onCancel: () => void
}

/** The quoted message above the field, or that one is being edited. */
function Quoting({ text, onCancel }: QuotingProps): ReactNode {
  const t = useT()
  return (
    <div className="im-quoting">
      <bdi>{text}</bdi>
      <IconButton size="small" label={t('im.cancel')} icon={<Dismiss12Regular />} onClick={onCancel} />
    </div>
  )
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

  const tellTyping = useTypingNotice(conversationId, chat.isMember)
  const mentions = useMentions(chat, conversationId)
  useFieldHeight(field, draft.text)

  const change = (next: ComposerDraft): void => {
    setDraft(next)
    if (editing === undefined) keepDraft(conversationId, next)
  }

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
    mentions.ask(undefined)
    requestAnimationFrame(() => {
      const end = start + person.name.length + 2
      input?.focus()
      input?.setSelectionRange(end, end)
    })
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
      files: (files) => void sendFiles(conversationId, files),
      focus: () => field.current?.focus(),
    })
    return () => handle(undefined)
  })

  const endEditing = (): void => {
    setEditing(undefined)
    setDraft(draftOf(conversationId) ?? { text: '', quote: 0, mentions: [] })
  }

  const { text } = draft
  const canSend = isMessageLength(text)

  const submit = async (): Promise<void> => {
    if (!canSend) return
    const named = draft.mentions.filter(({ name }) => text.includes(`@${name}`))
    if (named.some(({ userId }) => userId === 0) && !(await confirmAll(chat))) return
    if (editing !== undefined) {
      showMessage(await api.imEdit({ conversationId, number: editing.number, value: text, mentions: [...named] }))
      endEditing()
      return
    }
    sendMessage(conversationId, { type: 'text', value: text, quote: draft.quote, mentions: [...named] })
    change({ text: '', quote: 0, mentions: [] })
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes, keys are its own: nothing is sent, chosen or closed.
    if (isComposing(event)) return
    if (mentions.onKey(event, mention)) return
    if (isCommitEnter(event) && !event.shiftKey && !event.ctrlKey && !event.altKey) {
      event.preventDefault()
      void submit()
    } else if (event.key === 'Escape' && editing !== undefined) {
      endEditing()
    }
  }

  const onPaste = (event: ClipboardEvent): void => {
    const { files, picture: offered } = pastedFrom(event.clipboardData)
    if (files.length === 0) return setPicture(offered)
    event.preventDefault()
    void sendFiles(conversationId, files)
  }

  const sendAsFile = (): void => {
    void sendFiles(conversationId, [new File([text], textFileName(text), { type: 'text/plain' })])
    change({ text: '', quote: 0, mentions: [] })
  }

  const quoted = draft.quote === 0 ? undefined : quotedOf(draft.quote)
  return (
    <div className="im-composer">
      <ComposerTools
        isGroup={chat.push === 'GROUP'}
        onInsert={insert}
        onFiles={(files, asFiles) => void sendFiles(conversationId, files, asFiles)}
        onPicture={setPicture}
        onCards={() => void sendCards(conversationId)}
        onMention={() => {
          insert('@')
          mentions.ask({ from: field.current?.selectionStart ?? text.length, word: '' })
        }}
      />
      {(quoted || editing !== undefined) && (
        <Quoting
          text={editing === undefined ? quoted && `${quoted.fromName}：${lineOf(t, quoted)}` : t('im.edit')}
          onCancel={() => (editing === undefined ? change({ ...draft, quote: 0 }) : endEditing())}
        />
      )}
      <div className="im-field">
        <MentionList mentions={mentions} onChoose={mention} />
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
            mentions.ask(chat.push === 'GROUP' ? mentionBefore(value.slice(0, selectionStart)) : undefined)
            if (value !== '') tellTyping()
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
      </div>
      <SendRow
        {...{ text, picture, canSend }}
        isEditing={editing !== undefined}
        onPicture={(file) => {
          void sendFiles(conversationId, [file])
          setPicture(undefined)
        }}
        onFile={sendAsFile}
        onSend={() => void submit()}
      />
    </div>
  )
}
