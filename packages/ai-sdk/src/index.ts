export { type AiSdkDriverOptions, aiSdkDriver } from "./ai-sdk-driver.js"
