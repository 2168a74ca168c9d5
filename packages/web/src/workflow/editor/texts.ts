// Texts of the editor of templates. They are loaded with it, to keep the first page small.
import { addTexts } from '../../core/i18n/i18n.ts'
import { workflowEditorEn } from './texts.en.ts'
import { workflowEditorZh } from './texts.zh.ts'

type EditorTexts = typeof workflowEditorZh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends EditorTexts {}
}

addTexts(workflowEditorZh, workflowEditorEn)
