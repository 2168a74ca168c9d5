// The field of receivers: chips, with proposals of colleagues and of whom the person wrote to.
import type { MailPerson } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { api } from '../core/call/api.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Dismiss12Regular } from '../kit/icons.ts'
import { isComposing } from '../kit/keys.ts'

/** A complete mail address. */
export const wholeAddress = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+\.[^\s@<>"(),:;\\]+$/

/** Receivers in what was typed or pasted: addresses, also with names before them. */
export function receiversIn(text: string): { found: MailPerson[]; rest: string } {
  const found: MailPerson[] = []
  const rest: string[] = []
  for (const part of text.split(/[,;，；、\n]+/)) {
    const one = part.trim()
    const named = /^"?([^"<]*?)"?\s*<([^<>]+)>$/.exec(one)
    const address = named?.[2]?.trim() ?? one
    if (wholeAddress.test(address)) found.push({ name: named?.[1]?.trim() ?? '', address })
    else if (one !== '') rest.push(one)
  }
  return { found, rest: rest.join(', ') }
}

interface ReceiversProps {
  readonly label: string
  readonly people: readonly MailPerson[]
  readonly onChange: (people: MailPerson[]) => void
  readonly autoFocus?: boolean
  readonly after?: ReactNode
}

export function Receivers({ label, people, onChange, autoFocus, after }: ReceiversProps): ReactNode {
  const t = useT()
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(-1)
  const [isWrong, setWrong] = useState(false)
  const [left, setLeft] = useState(0)
  const keyword = text.trim()
  const proposed =
    useQuery({
      queryKey: ['mail', 'contacts', keyword],
      queryFn: () => api.getMailContacts({ keyword }),
      enabled: keyword !== '',
    }).data?.list.filter(({ address }) => !people.some((one) => one.address.toLowerCase() === address.toLowerCase())) ??
    []
  const isOpen = keyword !== '' && proposed.length > 0
  /** Adds people as far as the field takes them. Returns those that have no room. */
  const add = (some: readonly MailPerson[]): readonly MailPerson[] => {
    const known = new Set(people.map(({ address }) => address.toLowerCase()))
    const all = [...people, ...some.filter(({ address }) => !known.has(address.toLowerCase()))]
    onChange(all.slice(0, limits.mailReceivers))
    setLeft(Math.max(0, all.length - limits.mailReceivers))
    return all.slice(limits.mailReceivers)
  }
  const take = (typed: string): void => {
    const { found, rest } = receiversIn(typed)
    const over = found.length > 0 ? add(found) : []
    setText([rest, ...over.map(({ address }) => address)].filter(Boolean).join(', '))
    setWrong(rest !== '')
    setAt(-1)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    // Enter confirms the candidate of an input method first.
    if (isComposing(event)) return
    if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      return setAt((at + step + proposed.length) % proposed.length)
    }
    if (event.key === 'Enter' || event.key === 'Tab' || [',', ';', '，', '；'].includes(event.key)) {
      if (keyword === '') return
      const chosen = proposed[at]
      // A complete address that was typed counts before a proposal that contains it.
      const fallback = wholeAddress.test(keyword) || event.key !== 'Enter' ? undefined : proposed[0]
      const one = chosen ?? fallback
      if (event.key !== 'Tab') event.preventDefault()
      if (one === undefined) return take(text)
      add([{ name: one.name, address: one.address }])
      setText('')
      setAt(-1)
      return setWrong(false)
    }
    if (event.key === 'Backspace' && text === '') onChange(people.slice(0, -1))
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      setText('')
    }
  }
  return (
    <div className="em-receivers">
      <label htmlFor={id}>{label}</label>
      <div className="em-chips">
        {people.map(({ name, address }) => (
          <span className="em-chip" key={address} title={address}>
            {name || address}
            {name !== '' && <small>{address}</small>}
            <button
              type="button"
              aria-label={t('email.compose.remove', { name: name || address })}
              onClick={() => onChange(people.filter((one) => one.address !== address))}
            >
              <Dismiss12Regular />
            </button>
          </span>
        ))}
        <input
          id={id}
          value={text}
          // biome-ignore lint/a11y/noAutofocus: the window opens to write a mail, whose receivers come first
          autoFocus={autoFocus}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
          aria-invalid={isWrong}
          placeholder={people.length === 0 ? t('email.compose.add') : ''}
          onChange={({ target }) => {
            setWrong(false)
            if (/[,;，；、\n]/.test(target.value)) take(target.value)
            else setText(target.value)
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            // The field has one line: addresses on lines of their own would be joined.
            const pasted = event.clipboardData.getData('text')
            if (!/[,;，；、\n]/.test(pasted)) return
            event.preventDefault()
            take(`${text}${pasted}`)
          }}
          onBlur={() => keyword !== '' && take(text)}
        />
        {isOpen && (
          <div className="em-proposals" id={`${id}-list`} role="listbox" aria-label={label}>
            {proposed.map(({ name, address }, n) => (
              <div
                key={address}
                id={`${id}-${n}`}
                role="option"
                tabIndex={-1}
                aria-selected={n === at}
                onMouseDown={(event) => {
                  event.preventDefault()
                  add([{ name, address }])
                  setText('')
                }}
              >
                <b>{name || address}</b> <small>{address}</small>
              </div>
            ))}
          </div>
        )}
      </div>
      {after}
      {left > 0 && text !== '' && (
        <p className="k-problem" role="alert">
          {t('email.compose.tooMany', { most: limits.mailReceivers, n: left })}
        </p>
      )}
      {isWrong && (
        <p className="k-problem" role="alert">
          {t('email.compose.wrong')}
        </p>
      )}
    </div>
  )
}
