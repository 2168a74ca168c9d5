// The editor of a mail's text: the marks that mail programs show alike.

import { type Editor, EditorContent, useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { t, useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/toast/toast.ts'
import { Button, IconButton } from '../kit/button.tsx'
import {
  Image20Regular,
  Link20Regular,
  TextBold20Regular,
  TextBulletList20Regular,
  TextItalic20Regular,
} from '../kit/icons.ts'
import { InlinePicture, pictureData } from './inline-pictures.ts'

interface EditorProps {
  readonly html: string
  readonly disabled: boolean
  readonly onChange: (html: string, text: string) => void
  /** Receives the function that inserts a link at the cursor. */
  readonly onReady: (insertLink: InsertLink) => void
}

/** Below what the server takes. */
const longestHtml = 1_900_000

const picturesOf = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))

function insertPicture(editor: Editor | null, src: string, alt: string): void {
  if (editor === null) return
  // A mail has room for some pictures; others go along as attachments.
  if (editor.getHTML().length + src.length > longestHtml)
    return toast({ text: t('email.compose.picture.full'), kind: 'warning' })
  editor.chain().focus().insertContent({ type: 'inlinePicture', attrs: { src, alt } }).run()
}

export type InsertLink = (name: string, href: string) => void

export function MailEditor({ html, disabled, onChange, onReady }: EditorProps): ReactNode {
  const t = useT()
  const [, redraw] = useState(0)
  const [address, setAddress] = useState<string>()
  const editor = useEditor({
    extensions: [
      StarterKit.configure({ heading: false, codeBlock: false, link: { openOnClick: false, autolink: true } }),
      InlinePicture,
    ],
    content: html,
    editorProps: {
      attributes: {
        class: 'em-editor',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': t('email.compose.text'),
      },
      // Text wins where the clipboard has text: cells and paragraphs come with a picture of themselves.
      handlePaste: (_view, event) => {
        const files = picturesOf(event.clipboardData)
        if (files.length === 0 || event.clipboardData?.getData('text/plain').trim() !== '') return false
        void insertPictures(files)
        return true
      },
      handleDrop: (_view, event, _slice, isMoved) => {
        const files = picturesOf(event.dataTransfer)
        // A picture of the text that is moved inside it comes as a file too.
        if (files.length === 0 || isMoved) return false
        event.preventDefault()
        event.stopPropagation()
        void insertPictures(files)
        return true
      },
    },
    onUpdate: ({ editor: changed }) => onChange(changed.getHTML(), changed.getText({ blockSeparator: '\n' })),
    onTransaction: () => redraw((n) => n + 1),
  })
  const insertPictures = async (files: readonly File[]): Promise<void> => {
    for (const file of files) {
      const src = await pictureData(file)
      if (src === undefined) toast({ text: t('email.compose.picture.failed', { name: file.name }), kind: 'error' })
      else insertPicture(made.current, src, file.name)
    }
  }
  const made = useRef<Editor>(null)
  useEffect(() => {
    made.current = editor
  }, [editor])
  // Without an update: nothing was written.
  useEffect(() => editor?.setEditable(!disabled, false), [editor, disabled])
  const ready = useEffectEvent((made: NonNullable<typeof editor>) =>
    onReady((name, href) => {
      const link = { type: 'text', text: name, marks: [{ type: 'link', attrs: { href } }] }
      made
        .chain()
        .focus()
        .insertContent([link, { type: 'text', text: ' ' }])
        .run()
    }),
  )
  useEffect(() => {
    if (editor !== null) ready(editor)
  }, [editor])
  if (editor === null) return null
  const link = (): void => {
    const href = address?.trim() ?? ''
    setAddress(undefined)
    const chain = editor.chain().focus().extendMarkRange('link')
    if (!/^(https?|mailto):/i.test(href)) chain.unsetLink().run()
    else if (editor.state.selection.empty && !editor.isActive('link'))
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
    else chain.setLink({ href }).run()
  }
  const tools = [
    {
      label: t('email.compose.bold'),
      icon: <TextBold20Regular />,
      on: editor.isActive('bold'),
      run: () => editor.chain().focus().toggleBold().run(),
    },
    {
      label: t('email.compose.italic'),
      icon: <TextItalic20Regular />,
      on: editor.isActive('italic'),
      run: () => editor.chain().focus().toggleItalic().run(),
    },
    {
      label: t('email.compose.list'),
      icon: <TextBulletList20Regular />,
      on: editor.isActive('bulletList'),
      run: () => editor.chain().focus().toggleBulletList().run(),
    },
    {
      label: t('email.compose.link'),
      icon: <Link20Regular />,
      on: editor.isActive('link'),
      run: () => setAddress(String(editor.getAttributes('link')['href'] ?? 'https://')),
    },
    {
      label: t('email.compose.picture'),
      icon: <Image20Regular />,
      on: false,
      run: () => {
        const input = document.createElement('input')
        input.type = 'file'
        input.accept = 'image/*'
        input.multiple = true
        input.onchange = () => void insertPictures([...(input.files ?? [])])
        input.click()
      },
    },
  ]
  return (
    <>
      <div className="em-tools" role="toolbar" aria-label={t('email.compose.text')}>
        {tools.map(({ label, icon, on, run }) => (
          <IconButton key={label} label={label} icon={icon} pressed={on} disabled={disabled} onClick={run} />
        ))}
      </div>
      {address !== undefined && (
        <form
          className="em-link"
          onSubmit={(event) => {
            event.preventDefault()
            link()
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            setAddress(undefined)
            editor.commands.focus()
          }}
        >
          <input
            // biome-ignore lint/a11y/noAutofocus: it was asked for by the button before it.
            autoFocus
            aria-label={t('email.compose.link.ask')}
            placeholder={t('email.compose.link.ask')}
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
          <Button onClick={link}>{t('email.compose.link')}</Button>
        </form>
      )}
      <EditorContent editor={editor} className="em-writing" />
    </>
  )
}
