export type { ChatFunction, ChatMessage, ChatRequest, ReceivedRequest } from "./chat-request.js"
export { ModelServer } from "./model-server.js"
export {
  type Answer,
  answer,
  cut,
  end,
  finish,
  type Piece,
  pause,
  type Refusal,
  type Reply,
  raw,
  reasoning,
  refusal,
  text,
  toolCall,
  type Usage,
  usage,
} from "./reply.js"
export { inOrder, type Script } from "./script.js"
