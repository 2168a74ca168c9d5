// The page of workflow templates in the administration: the list, or the editor of the one that the address names.

import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { Add16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { editorAddress, TemplateTable } from '../templates/manage.tsx'
import { Editor } from './editor.tsx'

export function WorkflowPage(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const asked = query.get('templateId')
  const edit = (templateId: number): void => void navigate(editorAddress(templateId))
  if (asked !== null) return <Editor key={asked} templateId={Number(asked) || 0} />
  return (
    <ListPage
      title={t('workflow.manage.title')}
      tools={
        <Button kind="primary" icon={<Add16Regular />} onClick={() => edit(0)}>
          {t('workflow.manage.new')}
        </Button>
      }
    >
      <TemplateTable onEdit={edit} />
    </ListPage>
  )
}
