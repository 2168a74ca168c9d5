// The editor of a mail's text: the marks that mail programs show alike.

import { Link20Regular, TextBold20Regular, TextBulletList20Regular, TextItalic20Regular } from '@fluentui/react-icons'
import { EditorContent, useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { type ReactNode, useEffect, useState } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { IconButton } from '../kit/button.tsx'

interface EditorProps {
  readonly html: string
  readonly disabled: boolean
  readonly onChange: (html: string, text: string) => void
}

export function MailEditor({ html, disabled, onChange }: EditorProps): ReactNode {
  const t = useT()
  const [, redraw] = useState(0)
  const editor = useEditor({
    extensions: [
      StarterKit.configure({ heading: false, codeBlock: false, link: { openOnClick: false, autolink: true } }),
    ],
    content: html,
    editorProps: {
      attributes: {
        class: 'em-editor',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': t('email.compose.text'),
      },
    },
    onUpdate: ({ editor: changed }) => onChange(changed.getHTML(), changed.getText({ blockSeparator: '\n' })),
    onTransaction: () => redraw((n) => n + 1),
  })
  useEffect(() => editor?.setEditable(!disabled), [editor, disabled])
  if (editor === null) return null
  const link = (): void => {
    const address = globalThis.prompt(
      t('email.compose.link.ask'),
      String(editor.getAttributes('link')['href'] ?? 'https://'),
    )
    if (address === null) return
    if (address === '' || !/^(https?|mailto):/i.test(address)) editor.chain().focus().unsetLink().run()
    else editor.chain().focus().extendMarkRange('link').setLink({ href: address }).run()
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
    { label: t('email.compose.link'), icon: <Link20Regular />, on: editor.isActive('link'), run: link },
  ]
  return (
    <>
      <div className="em-tools" role="toolbar" aria-label={t('email.compose.text')}>
        {tools.map(({ label, icon, on, run }) => (
          <IconButton key={label} label={label} icon={icon} pressed={on} disabled={disabled} onClick={run} />
        ))}
      </div>
      <EditorContent editor={editor} className="em-writing" />
    </>
  )
}
