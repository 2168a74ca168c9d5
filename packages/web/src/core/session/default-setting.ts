// What a server is set to that does not say. The build replaces this module by its value (vite.config.ts).
import { defaultSetting as declared } from '@cloudoc/contract'

export const defaultSetting = declared
