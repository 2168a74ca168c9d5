// The toolbar buttons for links, pictures and breaks.

import { addressOf, pictureTypes } from '@cloudoc/office/document'
import type { Command } from 'prosemirror-state'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import {
  DocumentHeaderFooter20Regular,
  DocumentPageBreak20Regular,
  Image20Regular,
  Link20Regular,
} from '../../kit/icons.ts'
import { goToHeaderFooter, insertFootnote } from './headers-and-notes.ts'
import { canLink, insertPageBreak, linkAt, removeLink, setLink } from './insertions.ts'
import type { PageEditor } from './page-editor.ts'

export function InsertButtons({ page, link }: { readonly page: PageEditor; readonly link: () => void }): ReactNode {
  const t = useT()
  const field = useRef<HTMLInputElement>(null)
  const state = page.state()
  return (
    <>
      <IconButton label={t('editor.doc.picture')} icon={<Image20Regular />} onClick={() => field.current?.click()} />
      <input
        ref={field}
        type="file"
        hidden
        multiple
        accept={[...pictureTypes, 'image/webp', 'image/bmp'].join(',')}
        aria-label={t('editor.doc.picture')}
        onChange={({ target }) => {
          page.putPictures([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <IconButton
        label={t('editor.doc.link')}
        hint="Ctrl+K"
        icon={<Link20Regular />}
        pressed={linkAt(state) !== undefined}
        disabled={!canLink(state)}
        onClick={link}
      />
      <IconButton
        label={t('editor.doc.kept.break')}
        hint="Ctrl+Enter"
        icon={<DocumentPageBreak20Regular />}
        onClick={() => page.run(insertPageBreak)}
      />
      <HeadersAndNotesButton page={page} />
    </>
  )
}

/** The menu for headers, footers and notes: goes to one, or inserts it if there is none. */
function HeadersAndNotesButton({ page }: { readonly page: PageEditor }): ReactNode {
  const t = useT()
  const { document, run, state } = page
  const entry = (id: 'header' | 'footer' | 'footnote', command: Command, hint?: string): MenuEntry => ({
    id,
    label: t(`editor.doc.begin.${id}`),
    ...(hint !== undefined && { hint }),
    // Co-editing covers only the body text.
    ...(document().begun === undefined && { disabled: true, reason: t('editor.doc.begin.together') }),
    ...(id === 'footnote' && !command(state()) && { disabled: true }),
    run: () => run(command),
  })
  return (
    <IconButton
      label={t('editor.doc.begin')}
      icon={<DocumentHeaderFooter20Regular />}
      onClick={({ currentTarget }) => {
        const { left, bottom } = currentTarget.getBoundingClientRect()
        void showMenu(
          [
            entry('header', goToHeaderFooter(document, 'header')),
            entry('footer', goToHeaderFooter(document, 'footer')),
            entry('footnote', insertFootnote(document), 'Ctrl+Alt+F'),
          ],
          { x: left, y: bottom + 4 },
        )
      }}
    />
  )
}

/** The link address bar above the page. */
export function LinkBar({ page, close }: { readonly page: PageEditor; readonly close: () => void }): ReactNode {
  const t = useT()
  const here = linkAt(page.state())
  const [text, setText] = useState(String(here?.mark.attrs['href'] ?? ''))
  const [isWrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const set = (): void => {
    if (addressOf(text) === undefined) {
      setWrong(true)
      field.current?.focus()
      return
    }
    page.run(setLink(text, page.document().linkLook))
    close()
  }
  return (
    <form
      className="ed-find"
      aria-label={t('editor.doc.link')}
      onSubmit={(event) => {
        event.preventDefault()
        set()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.nativeEvent.isComposing) close()
      }}
    >
      <input
        ref={field}
        className="dc-address"
        value={text}
        aria-label={t('editor.doc.link.address')}
        aria-invalid={isWrong}
        placeholder={t('editor.doc.link.address')}
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value)
          setWrong(false)
        }}
      />
      <Button size="small" kind="primary" type="submit">
        {t('editor.doc.link.set')}
      </Button>
      {here !== undefined && (
        <Button
          size="small"
          onClick={() => {
            page.run(removeLink)
            close()
          }}
        >
          {t('editor.doc.link.out')}
        </Button>
      )}
      <Button size="small" kind="ghost" onClick={close}>
        {t('drive.cancel')}
      </Button>
      <span className="ed-find-told" role="status">
        {isWrong && t('editor.doc.link.wrong')}
      </span>
    </form>
  )
}
