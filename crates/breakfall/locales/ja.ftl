### 日本語。です・ます調。メッセージは句点なし、対処と利用者向けの文は句点あり。値の前後に空白は入れない。

## validation

VALIDATION_INVALID_VALUE = パラメーター'{ $param_name }'の値が無効です
    .plain = 値が無効です
    .sentence = パラメーター'{ $param_name }'の値が無効です：{ $reason }
    .remediation = 詳細に従って'{ $param_name }'を修正し、もう一度呼び出してください。
    .remediation-plain = 詳細に従って値を修正し、もう一度呼び出してください。
    .user = 入力された情報の一部が無効です。

VALIDATION_MISSING_PARAM = 必須パラメーター'{ $param_name }'がありません
    .plain = 必須パラメーターがありません
    .remediation = 引数に'{ $param_name }'を追加し、もう一度呼び出してください。
    .remediation-plain = 足りないパラメーターを引数に追加し、もう一度呼び出してください。
    .user = 必要な情報が足りません。

VALIDATION_INVALID_TYPE = パラメーター'{ $param_name }'は'{ $expected_type }'のはずですが、'{ $actual_type }'です
    .plain = パラメーターの型が違います
    .remediation = '{ $param_name }'を{ $expected_type }として送り、もう一度呼び出してください。
    .remediation-plain = スキーマが定める型でパラメーターを送り、もう一度呼び出してください。
    .user = 情報の一部の形式が違います。

VALIDATION_PATTERN_MISMATCH = パラメーター'{ $param_name }'が'{ $pattern }'に一致しません
    .plain = パラメーターがパターンに一致しません
    .remediation = '{ $pattern }'に一致するように'{ $param_name }'を書き直し、もう一度呼び出してください。
    .remediation-plain = 定められたパターンに一致するように値を書き直し、もう一度呼び出してください。
    .user = 情報の一部が決められた書き方になっていません。

VALIDATION_INVALID_ENUM = パラメーター'{ $param_name }'は'{ $allowed_values }'のいずれかでなければなりません
    .plain = パラメーターが許可された値ではありません
    .remediation = '{ $param_name }'に許可された値を選んでください：{ $allowed_values }。
    .remediation-plain = ツールの入力スキーマにある値から選んでください。
    .user = 選ばれた項目の一つが存在しません。

VALIDATION_OUT_OF_RANGE = パラメーター'{ $param_name }'が範囲外です
    .plain = パラメーターが範囲外です
    .sentence = パラメーター'{ $param_name }'は{ $minimum }から{ $maximum }まででなければなりません
    .remediation = '{ $param_name }'には{ $minimum }から{ $maximum }までの値を送ってください。
    .remediation-plain = ツールの入力スキーマの範囲内の値を送ってください。
    .user = 数値が小さすぎるか大きすぎます。

VALIDATION_UNKNOWN_PARAM = 操作'{ $operation }'に不明なパラメーターがあります：{ $param_list }
    .plain = 不明なパラメーターがあります
    .remediation = 不明なパラメーターを外すか、次の名前を使ってください：{ $valid_params }。
    .remediation-plain = 不明なパラメーターを外すか、ツールの入力スキーマで名前を確かめてください。
    .user = ツールに理解できないものが含まれていました。

VALIDATION_UNKNOWN_FIELD = 操作'{ $operation }'の入力に不明なフィールドがあります：'{ $unknown_fields }'
    .plain = 入力に不明なフィールドがあります
    .remediation = 入力オブジェクトから不明なフィールドを外してください。使えるもの：{ $valid_fields }。
    .remediation-plain = 入力オブジェクトから不明なフィールドを外してください。
    .user = 変更しようとした項目の一つが存在しません。

VALIDATION_INVALID_ENCODING = リクエストの文字エンコーディングが無効です
    .remediation = リクエストをUTF-8でエンコードし、もう一度送ってください。
    .user = 読み取れない文字が含まれていました。

VALIDATION_PAYLOAD_TOO_LARGE = データが{ $limit_type }の上限{ NUMBER($limit_value) }を超えています
    .plain = データが大きすぎます
    .remediation = 要求または送信する量を{ NUMBER($limit_value) }{ $unit ->
            [bytes] バイト
            [elements] 要素
            [levels] 階層
           *[other] { $unit }
        }以内に減らしてください。
    .remediation-plain = 呼び出しを小さく分けるなどして、要求または送信する量を減らしてください。
    .user = リクエストまたは応答が大きすぎます。

VALIDATION_ENDPOINT_MISMATCH = 操作'{ $operation }'はエンドポイント'{ $expected_endpoint }'に属し、'{ $actual_endpoint }'には属しません
    .plain = 操作は別のエンドポイントに属しています
    .remediation = '{ $operation }'はエンドポイント'{ $expected_endpoint }'から呼び出してください。
    .remediation-plain = スキーマが示すエンドポイントから操作を呼び出してください。
    .user = リクエストの送り先が違います。

VALIDATION_READ_ONLY_FIELD = パラメーター'{ $param_name }'は読み取り専用です
    .plain = パラメーターは読み取り専用です
    .remediation = 変更から'{ $param_name }'を外してください。サーバーが設定します。
    .remediation-plain = 変更から読み取り専用のフィールドを外してください。サーバーが設定します。
    .user = 変更しようとした項目の一つは変更できません。

BATCH_VALIDATION_ERROR = バッチリクエストが無効です：'{ $reason }'
    .plain = バッチリクエストが無効です
    .remediation = operationとparamsを持つオブジェクトのリストとして送ってください。まだ何も実行されていません。
    .user = 作業のリストが無効です。

SCHEMA_MISSING_FIELD = スキーマのフィールド'{ $field_path }'がありません
    .plain = スキーマのフィールドがありません
    .remediation = スキーマ文書にフィールド'{ $field_path }'を追加してください。
    .remediation-plain = 足りないフィールドをスキーマ文書に追加してください。
    .user = サービスの記述が不完全です。

SCHEMA_INVALID_TYPE = スキーマのフィールド'{ $field_path }'は'{ $expected_type }'のはずですが、'{ $actual_type }'です
    .plain = スキーマのフィールドの型が違います
    .remediation = スキーマのフィールド'{ $field_path }'を{ $expected_type }に変更してください。
    .remediation-plain = スキーマのフィールドを期待される型に変更してください。
    .user = サービスの記述に誤りがあります。

SCHEMA_UNRESOLVED_REF = '{ $field_path }'にあるスキーマ参照'{ $actual_value }'を解決できません
    .plain = スキーマ参照を解決できません
    .remediation = 型'{ $actual_value }'を宣言するか、宣言済みの型を参照してください。
    .remediation-plain = 足りない型を宣言するか、宣言済みの型を参照してください。
    .user = サービスの記述が存在しないものを指しています。

SCHEMA_DUPLICATE_NAME = '{ $field_path }'にあるスキーマの名前'{ $actual_value }'はすでに使われています
    .plain = スキーマの名前はすでに使われています
    .remediation = 二つある'{ $actual_value }'の宣言の一方の名前を変えてください。
    .remediation-plain = 同じ名前の二つの宣言の一方の名前を変えてください。
    .user = サービスの記述で同じ名前が二度使われています。

SCHEMA_INVALID_NAME = '{ $field_path }'にあるスキーマの名前'{ $actual_value }'が'{ $expected_value }'に一致しません
    .plain = スキーマの名前が決められた書き方になっていません
    .remediation = '{ $expected_value }'に一致するように'{ $actual_value }'の名前を変えてください。
    .remediation-plain = スキーマの命名規則に合うように名前を変えてください。
    .user = サービスの記述にある名前の一つが許可されていません。

SCHEMA_VERSION_DEPRECATED = スキーマのバージョン'{ $actual_value }'は非推奨です。'{ $expected_value }'を使ってください
    .plain = スキーマのバージョンは非推奨です
    .remediation = スキーマ文書をバージョン'{ $expected_value }'に移行してください。
    .remediation-plain = スキーマ文書を現在のバージョンに移行してください。
    .user = サービスの記述が古くなっています。

SCHEMA_VERSION_UNSUPPORTED = スキーマのバージョン'{ $actual_value }'には対応していません。'{ $expected_value }'を使ってください
    .plain = スキーマのバージョンには対応していません
    .remediation = 対応しているバージョン向けにスキーマ文書を書き直してください：{ $expected_value }。
    .remediation-plain = 対応しているバージョン向けにスキーマ文書を書き直してください。
    .user = サービスの記述は別のバージョン向けです。

## authentication

AUTHENTICATION_REQUIRED = '{ $service }'の認証が必要です
    .plain = 認証が必要です
    .remediation = '{ $service }'にサインインするか認証情報を設定し、もう一度呼び出してください。
    .remediation-plain = サインインするか認証情報を設定し、もう一度呼び出してください。
    .user = 先にサインインしてください。

AUTHENTICATION_INVALID_CREDENTIALS = 認証に失敗しました：'{ $service }'の認証情報が拒否されました
    .plain = 認証に失敗しました：認証情報が拒否されました
    .remediation = '{ $service }'の認証情報を取り替えてください。同じものは再び拒否されます。
    .remediation-plain = 認証情報を取り替えてください。同じものは再び拒否されます。
    .user = サインイン情報が受け付けられませんでした。

AUTHENTICATION_EXPIRED = 認証の期限切れです：'{ $service }'の認証情報はもう有効ではありません
    .plain = 認証の期限切れです：認証情報はもう有効ではありません
    .remediation = アクセストークンを更新するかサインインし直し、もう一度呼び出してください。
    .user = サインインの期限が切れました。もう一度サインインしてください。

## authorization

PERMISSION_DENIED = アクセスが拒否されました：'{ $reason }'
    .plain = アクセスが拒否されました
    .remediation = 管理者に権限'{ $required_scope }'を求めるか、別の方法を取ってください。
    .remediation-plain = 管理者に権限を求めるか、別の方法を取ってください。
    .user = この操作を行う権限がありません。

PERMISSION_TRUST_LEVEL_INSUFFICIENT = 操作'{ $operation }'には信頼レベル'{ $required_trust }'が必要ですが、アダプターは'{ $actual_trust }'です
    .plain = より高い信頼レベルが必要な操作です
    .remediation = アダプターを信頼レベル'{ $required_trust }'に上げてもらうか、危険の少ない操作を使ってください。
    .remediation-plain = アダプターの信頼レベルを上げてもらうか、危険の少ない操作を使ってください。
    .user = 接続の審査が済むまで、この操作はできません。

PERMISSION_DANGER_LEVEL_DENIED = 操作'{ $operation }'（危険度：{ $danger_level }）は信頼レベル'{ $adapter_trust }'のアダプターでは拒否されます
    .plain = 危険度のため操作が拒否されました
    .remediation = 危険の少ない操作を選ぶか、運用者にアダプターを信頼レベル'{ $minimum_trust_required }'に上げるよう頼んでください。
    .remediation-plain = 危険の少ない操作を選ぶか、運用者にアダプターの信頼レベルを上げるよう頼んでください。
    .user = この操作はここでは危険すぎます。

PERMISSION_NOT_ALLOWED = アクセスが拒否されました：操作'{ $operation }'は許可されていません
    .plain = アクセスが拒否されました：操作は許可されていません
    .remediation = 許可されている操作を選ぶか、運用者に'{ $operation }'の許可を頼んでください。
    .remediation-plain = 許可されている操作を選ぶか、運用者にこの操作の許可を頼んでください。
    .user = この操作はここでは許可されていません。

PERMISSION_FEATURE_DISABLED = アクセスが拒否されました：機能'{ $feature }'は無効になっています
    .plain = アクセスが拒否されました：機能は無効になっています
    .remediation = 運用者に'{ $feature }'を有効にするよう頼むか、なしで進めてください。
    .remediation-plain = 運用者に機能を有効にするよう頼むか、なしで進めてください。
    .user = この機能は無効になっています。

## not_found

NOT_FOUND_RESOURCE = リソース'{ $resource_type }'が見つかりません：'{ $resource_id }'
    .plain = リソースが見つかりません
    .sentence = { $resource_type }'{ $resource_id }'が見つかりません
    .remediation = '{ $resource_type }'のIDが存在するか確かめてください。
    .remediation-plain = リソースのIDを確かめるか、一覧を取得してください。
    .user = お探しのものは見つかりませんでした。

NOT_FOUND_OPERATION = 不明な操作です：'{ $operation_name }'
    .plain = 不明な操作です
    .remediation = 代わりに次の操作のいずれかを呼び出してください：{ $available }。
    .remediation-plain = サーバーにあるツールや操作の一覧を取得し、その一つを呼び出してください。
    .user = 指定された操作は存在しません。

## conflict

CONFLICT_ALREADY_EXISTS = リソース'{ $resource_type }'はすでに存在します：'{ $resource_id }'
    .plain = リソースはすでに存在します
    .remediation = 既存の'{ $resource_type }'（ID：'{ $resource_id }'）を使うか、別の名前で作成してください。
    .remediation-plain = 既存のリソースを使うか、別の名前で作成してください。
    .user = これはすでに存在します。

CONFLICT_VERSION_MISMATCH = バージョンの競合：'{ $expected_version }'のはずですが、'{ $actual_version }'です
    .plain = バージョンの競合
    .remediation = リソースを読み直し、バージョン'{ $actual_version }'に変更を加えてから再試行してください。
    .remediation-plain = リソースを読み直し、現在のバージョンに変更を加えてから再試行してください。
    .user = その間に別の人が変更しました。

CONFLICT_INVALID_STATE = 競合：状態'{ $current_state }'では操作'{ $operation }'は行えません
    .plain = 現在の状態と競合しています
    .remediation = 現在の状態を読み、先にリソースを'{ $operation }'ができる状態にしてください。
    .remediation-plain = 現在の状態を読み、先にリソースを適した状態にしてください。
    .user = 今の状況ではこれを行えません。

CONFLICT_DUPLICATE_OPERATION = 競合：操作'{ $operation }'はすでに実行されています
    .plain = 競合：操作はすでに実行されています
    .remediation = 最初の呼び出しの結果を使ってください。もう一度送らないでください。
    .user = これはすでに完了しています。

## rate_limit

RATE_LIMIT_EXCEEDED = APIのレート制限を超えました
    .sentence = レート制限を超えました：{ $window ->
            [second] 1秒
            [minute] 1分
            [hour] 1時間
            [day] 1日
           *[other] { $window }
        }あたり{ NUMBER($limit) }件
    .remediation = { NUMBER($retry_after_seconds) }秒待ってから再試行してください。
    .remediation-plain = 制限がリセットされるのを待ってから再試行してください。
    .user = リクエストが多すぎます。しばらくしてからもう一度お試しください。

RATE_LIMIT_QUOTA_PAUSE = クォータの一時停止しきい値に達しました
    .remediation = 続けてよいか人に確かめ、{ $expires_at }までに'_quota_continue'にトークンを入れて同じ呼び出しを送ってください。
    .remediation-plain = 続けてよいか人に確かめ、'_quota_continue'にトークンを入れて同じ呼び出しを送ってください。
    .user = 利用枠がほとんど残っていません。続けますか？

RATE_LIMIT_QUOTA_EXHAUSTED = クォータを使い切りました
    .remediation = { $resets_at }まで呼び出しを止めるか、運用者にクォータの増加を頼んでください。
    .remediation-plain = クォータがリセットされるまで呼び出しを止めるか、運用者に増加を頼んでください。
    .user = 利用枠を使い切りました。

## confirmation

CONFIRMATION_REQUIRED = この操作には確認が必要です
    .remediation = 人に承認を求め、{ $expires_at }までに引数_confirmationに'{ $confirmation_token }'を入れて同じ呼び出しを送ってください。
    .remediation-plain = 人に承認を求め、'_confirmation'にトークンを入れて同じ呼び出しを送ってください。
    .user = この操作には先に承認が必要です。

TOKEN_INVALID = 確認トークンが無効です
    .remediation = トークンなしで呼び出して新しいトークンを受け取り、人に承認を求めてください。
    .user = 承認を確認できませんでした。

TOKEN_EXPIRED = 確認トークンの期限が切れています
    .remediation = 期限切れのトークンを破棄し、もう一度人に承認を求め、新しいトークンを期限内に使ってください。
    .user = 承認が間に合いませんでした。もう一度承認してください。

TOKEN_ALREADY_USED = 確認トークンはすでに使われています
    .remediation = 前の呼び出しの結果を確かめてください。もう一度行う必要があるときだけ、新しい承認を求めてください。
    .user = この承認はすでに使われています。

TOKEN_SCOPE_MISMATCH = 確認トークンはこの呼び出しのものではありません
    .remediation = トークンは発行された呼び出し（'{ $token_operation }'）だけに使うか、この呼び出しの承認を人に求めてください。
    .remediation-plain = トークンは発行された呼び出しだけに使うか、この呼び出しの承認を人に求めてください。
    .user = 承認は別の操作に対するものでした。

## business

BUSINESS_RULE_VIOLATION = 業務ルール'{ $rule }'に違反しています
    .plain = 業務ルールに違反しています
    .remediation = ルール'{ $rule }'を守るようにリクエストを変えるか、人の判断に任せてください。
    .remediation-plain = ルールを守るようにリクエストを変えるか、人の判断に任せてください。
    .user = サービスの規則により行えません。

BUSINESS_INSUFFICIENT_BALANCE = 残高が足りません：'{ NUMBER($required) }'必要ですが、'{ NUMBER($available) }'しかありません
    .plain = 残高が足りません
    .remediation = 残高を確かめ、入金するか金額を減らしてください。
    .user = 残高が足りないため行えません。

## unavailable

UNAVAILABLE_SERVICE = サービス'{ $service }'は利用できません
    .plain = サービスは利用できません
    .remediation = 少し待ち、間隔を広げながら再試行してください。
    .user = サービスは現在利用できません。後でもう一度お試しください。

UNAVAILABLE_DEPENDENCY = サービスが依存する'{ $dependency }'に障害が起きました
    .plain = サービスの依存先に障害が起きました
    .remediation = この手順には別のツールを使うか、'{ $dependency }'が復旧してから再試行してください。
    .remediation-plain = この手順には別のツールを使うか、依存先が復旧してから再試行してください。
    .user = サービスの一部が現在動いていません。

UNAVAILABLE_TIMEOUT = サービスが'{ NUMBER($timeout_ms) }'ミリ秒以内に応答しませんでした
    .plain = サービスが時間内に応答しませんでした
    .sentence = 操作'{ $operation }'は{ NUMBER($timeout_ms) }ミリ秒以内に終わりませんでした
    .remediation = 呼び出しが効いたか確かめ、まだなら待ち時間を延ばすかリクエストを小さくして再試行してください。
    .user = サービスの応答に時間がかかりすぎました。

UNAVAILABLE_CIRCUIT_OPEN = サービス'{ $service }'は障害が続いたため休止中です
    .plain = サービスは障害が続いたため休止中です
    .remediation = 今は代替手段を使うか、{ NUMBER($retry_after_seconds) }秒後にもう一度呼び出してください。
    .remediation-plain = 今は代替手段を使うか、サービスの復旧後にもう一度呼び出してください。
    .user = サービスに障害が続いたため、休止しています。

UNAVAILABLE_OVERLOADED = サービス'{ $service }'は過負荷です
    .plain = サービスは過負荷です
    .remediation = 同時に送る呼び出しを減らし、少し待ってから再試行してください。
    .user = サービスが混み合っています。しばらくしてからもう一度お試しください。

UNAVAILABLE_NETWORK = サービス'{ $service }'に接続できません
    .plain = サービスに接続できません
    .remediation = ネットワークとサービスのアドレスを確かめて再試行してください。別のサービスがあれば使ってください。
    .user = サービスに接続できませんでした。

UNAVAILABLE_TLS = サービス'{ $service }'とのTLSハンドシェイクに失敗しました
    .plain = サービスとのTLSハンドシェイクに失敗しました
    .remediation = 再試行せず、運用者に'{ $service }'の証明書またはTLS設定の修正を頼んでください。
    .remediation-plain = 再試行せず、運用者に証明書またはTLS設定の修正を頼んでください。
    .user = サービスへの安全な接続を確立できませんでした。

## internal

INTERNAL_ERROR = 内部エラー：'{ $description }'
    .plain = 内部エラー
    .remediation = 一度だけ再試行し、再び失敗したら相関IDをサポートに伝えてください。
    .user = サービスで内部の問題が起きました。サポートが調査できます。

INTERNAL_BAD_UPSTREAM = 内部エラー：'{ $service }'の応答を読み取れません
    .plain = 内部エラー：接続先の応答を読み取れません
    .remediation = 一度だけ再試行し、それでも読み取れなければ別のツールを使ってください。
    .user = サービスの応答を読み取れませんでした。

INTERNAL_ADAPTER = 内部エラー：アダプター'{ $adapter }'が失敗しました
    .plain = 内部エラー：アダプターが失敗しました
    .remediation = アダプター自身のエラー'{ $original_error }'を見て判断し、迷うときは別のツールを使ってください。
    .remediation-plain = アダプター自身のエラーの詳細を見て判断し、迷うときは別のツールを使ってください。
    .user = 接続先のサービスで独自の問題が起きました。

INTERNAL_NOT_IMPLEMENTED = 操作'{ $operation }'は実装されていません
    .plain = 操作は実装されていません
    .remediation = '{ $operation }'の代わりに別のツールを使ってください。引数を変えても効果はありません。
    .remediation-plain = 別のツールを使ってください。引数を変えても効果はありません。
    .user = このサービスではまだこれを行えません。

INTERNAL_CONFIGURATION = 内部エラー：設定'{ $setting }'がないか無効です
    .plain = 内部エラー：設定が無効です
    .remediation = 再試行せず、運用者に設定'{ $setting }'の修正を頼んでください。
    .remediation-plain = 再試行せず、運用者に設定の修正を頼んでください。
    .user = サービスの設定が正しくありません。

INTERNAL_UNKNOWN = 内部エラー：原因不明の失敗です
    .remediation = むやみに再試行せず、調査のため相関IDをサポートに伝えてください。
    .user = 予期しない問題が起きました。サポートが調査できます。

BATCH_FAILED = { NUMBER($total) }件の操作がすべて失敗しました
    .plain = すべての操作が失敗しました
    .remediation = 各項目のエラーを読み、共通の原因を取り除いてから、バッチをもう一度送ってください。
    .user = 依頼された手順はどれも成功しませんでした。

BATCH_PARTIAL_FAILURE = { NUMBER($total) }件の操作のうち{ NUMBER($failed) }件が失敗しました
    .plain = 一部の操作が失敗しました
    .remediation = 成功した項目の結果は残し、失敗した項目だけを修正してもう一度送ってください。
    .user = 依頼された手順の一部が成功しませんでした。

## Warnings

CONTENT_TRUNCATED = サイズの上限に収めるため、内容を切り詰めました

CONTENT_DROPPED = サイズの上限に収めるため、'{ NUMBER($dropped_count) }'件を省きました
    .plain = サイズの上限に収めるため、一部の項目を省きました

PRIORITY_SUMMARIZED = 優先度の低い内容を要約に置き換えました

SUMMARY_PROVIDER_FAILED = 要約を作成できなかったため、代替手段を使いました

TOKEN_BUDGET_FLOORED = トークンの予算を最小値に引き上げました

LIMITS_DEFAULTED = 既定の上限が適用されています

ARCHIVE_WRITE_FAILED = 省いた内容を保管できませんでした

PROTECTED_OVERFLOW = 保護された内容が割り当てを超え、ほかの内容を押し出しました

STATE_MIGRATION_RECOVERED = 保存された状態を古いバージョンから移行しました

TOKEN_COUNT_ESTIMATE_USED = トークン数は推定値です

STALE_CACHE = 結果が古い可能性があります：キャッシュは'{ NUMBER($age_seconds) }'秒前のものです
    .plain = 結果が古い可能性があります

PARTIAL_FAILURE = { NUMBER($total) }件のうち{ NUMBER($failed) }件が失敗しました
    .plain = 一部の項目が失敗しました

DEPRECATED_FIELD = フィールド'{ $field }'は非推奨です
    .plain = 非推奨のフィールドが使われました

RATE_LIMIT_APPROACHING = レート制限に近づいています

FALLBACK_USED = 代替手段'{ $fallback }'を使いました
    .plain = 代替手段を使いました

RATE_LIMIT_QUOTA_WARNING = クォータの上限に近づいています

DEPRECATION_WARNING = '{ $deprecated_item }'は非推奨です
    .plain = 非推奨のものが使われました

VALIDATION_TRUNCATED_WARNING = フィールド'{ $field }'を'{ NUMBER($limit) }'件に切り詰めました
    .plain = フィールドを上限まで切り詰めました

PERFORMANCE_SLOW_QUERY_WARNING = 操作'{ $operation }'に時間がかかりました：'{ NUMBER($duration_ms) }'ミリ秒
    .plain = 操作に時間がかかりました

ARGUMENTS_REPAIRED = 引数を修正しました：'{ $params }'
    .plain = 引数を修正しました

ARGUMENTS_MISMATCH = 引数がスキーマに合っていません：'{ $params }'
    .plain = 引数がスキーマに合っていません

ARGUMENTS_UNCHECKED = '{ $operation }'の引数は検証されませんでした
    .plain = 引数は検証されませんでした

OUTPUT_MISMATCH = '{ $operation }'の結果が出力スキーマに合っていません
    .plain = 結果が出力スキーマに合っていません

LOOKS_FAILED = '{ $operation }'はサーバーによると成功しましたが、テキストは失敗のように読めます：'{ $looks_like }'（ルール'{ $rule }'）。求めたテキストそのものでなければ、呼び出しは失敗しています。これは再度呼び出す理由にはなりません
    .plain = サーバーによると成功しましたが、テキストは失敗のように読めます。求めたテキストそのものでなければ、呼び出しは失敗しています。これは再度呼び出す理由にはなりません

TOOL_LIST_STALE = '{ $upstream }'のツールは一覧の取得後に変わった可能性があります
    .plain = ツールは一覧の取得後に変わった可能性があります

UPSTREAM_LOST = 接続先'{ $upstream }'から応答がなく、その分が欠けています
    .plain = 応答しない接続先があり、その分が欠けています

NAMES_SHORTENED = 長すぎる名前を'{ $shortened_count }'件短縮しました
    .plain = 長すぎる名前を短縮しました

RESULT_ADAPTED = 古いバージョンのプロトコルに合わせて変更しました：'{ $fields }'
    .plain = 一部を古いバージョンのプロトコルに合わせて変更しました

UNKNOWN_PARAM_IGNORED = スキーマにないパラメーターがあります：'{ $unknown_params }'
    .plain = スキーマにないパラメーターがあります

RETRIED = '{ NUMBER($attempts) }'回目の試行で成功しました
    .plain = 再試行して成功しました

WARNINGS_SUPPRESSED = ほかの警告'{ NUMBER($suppressed_count) }'件を省きました
    .plain = ほかの警告を省きました

## Sentences that belong to no code

repeat-later = 間隔を広げながら、後でもう一度呼び出してください。
repeat-once = 一度だけ呼び出し直し、それでも失敗したら、別のツールを使うか、サーバーの運用者に問い合わせてください。
do-not-repeat = 同じ呼び出しは繰り返さず、別のツールを使うか、サーバーの運用者に問い合わせてください。
confirm = 承認する
batch-partial = { NUMBER($total) }件のうち{ NUMBER($failed) }件を処理できませんでした
batch-failed = { NUMBER($total) }件すべてを処理できませんでした
batch-done = { NUMBER($total) }件すべて完了しました
batch-waits = { NUMBER($total) }件のうち{ NUMBER($succeeded) }件が完了しました

io-not-found = ファイルまたはリソースが存在しません
io-permission-denied = 権限がありません：サーバーはこのファイルまたはリソースを使えません
io-read-only = 権限がありません：ストレージは読み取り専用です
io-already-exists = ファイルまたはリソースはすでに存在します
io-refused = 接続が拒否されました
io-reset = 接続が相手側でリセットされました
io-aborted = 接続が中断されました
io-not-connected = 接続が開かれていません
io-broken-pipe = 接続が相手側で閉じられました
io-host-unreachable = ホストに到達できません
io-network-unreachable = ネットワークに到達できません
io-network-down = ネットワークが停止しています
io-address-not-available = ネットワークアドレスを使えません
io-address-in-use = ネットワークアドレスはすでに使われています
io-timed-out = 操作に時間がかかりすぎました
io-would-block = リソースが使用中です
io-busy = リソースはほかで使用中です
io-executable-busy = プログラムファイルが使用中です
io-deadlock = リソースはほかでロックされています
io-interrupted = 操作が中断されました
io-invalid-input = この操作に使えない値です
io-invalid-filename = ファイル名が無効です
io-not-a-directory = パスの先はディレクトリではありません
io-is-a-directory = パスの先はディレクトリです
io-directory-not-empty = ディレクトリが空ではありません
io-file-too-large = ファイルが大きすぎます
io-arguments-too-long = プログラムの引数が長すぎます
io-invalid-data = データの形式が不正で読み取れません
io-unexpected-end = データが途中で終わりました
io-write-zero = データを書き込めませんでした
io-stale-handle = ネットワークストレージがファイルを見失いました
io-storage-full = サーバーのストレージに空きがありません
io-storage-quota = サーバーのストレージ割り当てを使い切りました
io-out-of-memory = サーバーのメモリーが足りません
io-unsupported = この操作はここではサポートされていません

exit-not-found = サーバーのコマンドが見つかりません
exit-not-executable = サーバーのコマンドを実行できません
exit-configuration = 設定の誤りのためサーバーが終了しました
exit-start-success = コマンドは応答せずに終了しました：サーバーではない可能性があります
exit-unexpected-end = サーバーが使用中に終了しました
exit-temporary = サーバーは一時的とされる理由で終了しました
exit-killed = サーバーが{ $signal }により強制終了されました
exit-stopped = サーバーが{ $signal }により停止されました
exit-out-of-memory = サーバーのメモリーが不足しました
exit-crash = サーバーがクラッシュしました
exit-failed = サーバーがエラーで終了しました
exit-start-failed = サーバーが起動中にエラーで終了しました

service-other = リクエストを完了できませんでした
service-timeout = サービスが時間内に応答しませんでした
service-tls = サービスがTLSハンドシェイクに失敗しました
service-unreadable = サービスの応答を読み取れません
service-broken-off = 転送中に接続が切れました
service-closed = 応答の前に接続が閉じられました
service-unbuilt = リクエストを組み立てられませんでした
service-dns = サービスの名前がネットワークで見つかりません
service-connect = サービスに到達できません
service-redirect = サービスのリダイレクトが終わりません
service-upgrade = サービスは求められたプロトコルに対応していません
service-builder = サービスへのリクエストを組み立てられませんでした
http-status = HTTPステータス{ $status }

json-syntax = JSONの形式が不正です
json-end = JSONが途中で終わりました
json-io = JSONを転送できませんでした
json-data = JSONが想定された形ではありません
json-value = 値が想定された形ではありません
parse-text = テキストがUTF-8ではありません
parse-range = 数値が範囲外です
parse-integer = 値が整数ではありません
parse-number = 値が数値ではありません
parse-boolean = 値がtrueでもfalseでもありません

call-cancelled = 呼び出しがキャンセルされました
call-open-address = 詳細にあるアドレスを開いて手続きを終えるよう本人に頼み、その後もう一度呼び出してください。
call-neither = 応答に結果もエラーもありません
call-read-words = サーバーの説明を読み、呼び出しかその対象を直してください。それでも解決しなければ、相関IDを添えて問い合わせてください。
call-ask-user = 自分の判断で再度呼び出さず、ユーザーに希望を確認してください。
call-untold = 失敗は数えられましたが、内容は伝えられていません
call-paused = サービス'{ $service }'のツール'{ $tool }'は障害が続いたため休止中です
call-uncertain = 呼び出しが効果を持ったかどうかは不明です。まず確認し、効果がなかった場合にのみもう一度呼び出してください。
call-uncertain-user = これが実行されたかどうかは確実ではありません。もう一度試す前に確認してください。
unknown-method = 不明なメソッドです：'{ $method }'
unknown-tool = 不明なツールです：'{ $tool }'
unknown-tool-near = 不明なツールです：'{ $tool }'。'{ $nearest }'のことですか？
call-nearest = 意図したものなら'{ $nearest }'を呼び出し、違うならツールの一覧を取得してください。
call-meant = '{ $nearest }'のことですか？それか、サーバーの一覧にある別のツールを呼び出してください。
call-one-of-more = 代わりに次の操作のいずれかを呼び出してください：{ $available }、ほか{ NUMBER($count) }件。すべてはツールの一覧にあります。

arguments-unfit = 引数が合いません：{ $reason }
arguments-params = 'tools/call'のパラメーターがスキーマに合いません
argument-type = 引数は{ $expected }でなければなりませんが、{ $actual }です
argument-value = 引数は{ $expected }でなければなりません

and-more = ほか{ NUMBER($count) }件

ask-correct = '{ $tool }'を続行できません：{ $wrong }。{ $what }
ask-what = { $names }の値は何ですか？
ask-instead = '{ $name }'の値は'{ $before }'の代わりに何ですか？
ask-advice = または、{ $names }の値をユーザーに確認してください。
ask-declined = ユーザーに{ $names }を尋ねましたが、断られました
ask-no-others = 自分の判断で別の値を使って再度呼び出さないでください。この呼び出しなしで続けるか、ユーザーに希望を確認してください。

rule-missing = 必須ですが、ありません
rule-one-missing = { $names }のいずれかが必要です
rule-type = { $expected }が必要です
rule-type-got = { $expected }のはずですが、{ $actual }です
rule-unknown = 不明な名前です
rule-no-value = どの値も合いません：スキーマはここに値を許していません
rule-value = { $value }でなければなりません
rule-values = { $values }のいずれかでなければなりません
rule-values-more = { $values }、ほか{ NUMBER($count) }件のいずれかでなければなりません
rule-at-least = { $limit }以上でなければなりません
rule-more-than = { $limit }より大きくなければなりません
rule-at-most = { $limit }以下でなければなりません
rule-less-than = { $limit }未満でなければなりません
rule-least-characters = { NUMBER($limit) }文字以上でなければなりません
rule-most-characters = { NUMBER($limit) }文字以下でなければなりません
rule-least-items = { NUMBER($limit) }個以上の項目が必要です
rule-most-items = 項目は{ NUMBER($limit) }個以下でなければなりません
rule-least-members = { NUMBER($limit) }個以上のメンバーが必要です
rule-most-members = メンバーは{ NUMBER($limit) }個以下でなければなりません
rule-pattern = パターン{ $pattern }に一致しなければなりません
rule-format = { $format }の形式で書かなければなりません
rule-multiple = { $of }の倍数でなければなりません
rule-unique = 同じ項目を繰り返してはなりません
rule-no-alternative = どの選択肢にも合いません
rule-several = 互いに排他的な複数の選択肢に合います
rule-depth = { NUMBER($limit) }段より深く入れ子にしてはなりません
rule-contains = スキーマが求める項目がありません
rule-false = ここでは許されていません
rule-not = スキーマが除外しているものです
rule-items = スキーマが許さない項目があります
rule-schema = スキーマに合いません
rule-range = 範囲外です
rule-unexplained = スキーマに合いません。大きすぎるため場所は示せません
rule-unjudged = 検査できません：この大きさの引数にはスキーマが複雑すぎます

repair-meant = '{ $name }'のことですか？
repair-omit = 省いてください
repair-bound = 許される最も近い値は{ $value }です
repair-rename = '{ $name }'の名前を'{ $to }'に変えてください
repair-leave-out = '{ $name }'を省いてください
repair-send = '{ $name }'を{ $value }として送ってください
repair-add-value = '{ $name }'を追加してください：{ $value }
repair-add = '{ $name }'を追加してください
repair-add-one = { $names }を追加してください
repair-remove = '{ $name }'を取り除いてください
repair-rule = '{ $name }'は{ $rule }
rule-parameter = パラメーター'{ $name }'：{ $rule }
