// Server settings that clients read ([R044]): each key has a type and a default here, and a place that honours it.
import { z } from 'zod'

/** The settings object that `getServerSetting` answers as JSON text. */
export const ServerSetting = z.strictObject({
  setting: z.strictObject({
    /** Printing is a right of its own, and download depends on it (X5). */
    print_rights: z.boolean().default(false),
    /** Owners and managers may export folders ([R160]). */
    export_sub_file: z.boolean().default(true),
    /** A single PDF can be downloaded with smaller pictures in it ([R146], [R203]). */
    pdf_compression: z.boolean().default(false),
    /** The new JSON push channel is used ([R342]). */
    use_websocket: z.boolean().default(true),
    /** Where the client goes after signing out; empty stays. */
    logout_page: z.string().default(''),
    server_code: z.string().default(''),
    web_context: z.string().default(''),
  }),
  pwdLength: z.int().min(1).max(64).default(8),
  /** Bytes a person may use; 0 sets no limit. */
  user_space: z.int().min(0).default(0),
  /** Bytes that the installation may hold; 0 sets no limit. */
  server_space: z.int().min(0).default(0),
  /** Libraries that people share, of the company and of departments; 0 sets no limit ([R207]). */
  workspace_count: z.int().min(0).default(0),
  /** Bytes of one upload; 0 sets no limit. */
  upload_max_size: z.int().min(0).default(0),
  /** Extensions that may come in, in lower case without the dot; none: all. And those that may not. */
  upload_types_allowed: z.array(z.string().max(16)).max(1000).default([]),
  upload_types_denied: z.array(z.string().max(16)).max(1000).default([]),
  /** A captcha at every login, not only after failures. */
  captcha_always: z.boolean().default(false),
  /** What the secret levels are called, from 1 on. */
  secret_names: z.array(z.string().max(50)).max(100).default(['内部', '秘密', '机密', '绝密']),
  company_name: z.string().default('云文档'),
})
export type ServerSetting = z.output<typeof ServerSetting>

/** What an installation starts with. */
export const defaultSetting: ServerSetting = ServerSetting.parse({ setting: {} })
