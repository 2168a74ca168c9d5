// The default for settings the server does not send. The build replaces this module by its value (vite.config.ts).
import { defaultSetting as declared } from '@cloudoc/contract'

export const defaultSetting = declared
